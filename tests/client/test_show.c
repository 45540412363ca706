/* Answers as people see them, in a pipe and in colour. */
#include "client/show_line.h"

#include <string.h>

#include "tests/client/capture.h"
#include "tests/client/client_test.h"

static const struct cm_move moves[] = {
    {12, CM_MOUSE_WINS, 4}, {10, CM_CAT_WINS, 3}, {11, CM_CAT_WINS, CM_PLIES_NONE}};
static const struct cm_query query = {.state = {.mouse = 10, .cat = 6, .turn = CM_MOUSE},
                                      .outcome = CM_MOUSE_WINS,
                                      .plies = 5,
                                      .moves = moves,
                                      .moves_count = 3,
                                      .cols = 5};

static void assert_shows(int (*show)(void *context), void *context, const char *expected)
{
  struct captured captured;
  capture(show, context, &captured);
  assert_string_equal(captured.out, expected);
}

static void open_grid(struct cm_client **client, struct cm_puzzle **puzzle)
{
  static const char box[] = "[\"####F\",\"#C...\",\"M....\"] 1 2";
  assert_int_equal(cm_open(NULL, client), 0);
  assert_int_equal(cm_puzzle_parse(*client, box, strlen(box), puzzle), 0);
}

static int show_query_on_grid(void *context)
{
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  struct style style;
  open_grid(&client, &puzzle);
  style_init(&style, COLOUR_AUTO);
  style_set_puzzle(&style, puzzle);
  if (context)
    style.columns = *(const uint32_t *)context;
  show_query(&style, &query, NULL);
  cm_puzzle_free(puzzle);
  cm_close(client);
  return 0;
}

static void test_query_on_grid(void **state)
{
  uint32_t narrow = 6;
  (void)state;
  assert_shows(show_query_on_grid, NULL,
               "The mouse wins in 5 plies.\n"
               "mouse at 2:0, cat at 1:1, the mouse to move\n"
               "  ####F\n"
               "  #C...\n"
               "  Mo*..\n"
               "  1. to 2:2      The mouse wins in 4 plies.\n"
               "  2. to 2:0      The cat wins in 3 plies.\n"
               "  3. to 2:1      The cat wins: nobody can force the end.\n");
  assert_shows(show_query_on_grid, &narrow,
               "The mouse wins in 5 plies.\n"
               "mouse at 2:0, cat at 1:1, the mouse to move\n"
               "  1. to 2:2      The mouse wins in 4 plies.\n"
               "  2. to 2:0      The cat wins in 3 plies.\n"
               "  3. to 2:1      The cat wins: nobody can force the end.\n");
}

static int show_query_in_colour(void *context)
{
  const struct style style = {.colour = true};
  show_query(&style, context, NULL);
  return 0;
}

static void test_query_in_colour(void **state)
{
  struct cm_query short_query = query;
  (void)state;
  short_query.moves_count = 2;
  short_query.cols = 0;
  assert_shows(show_query_in_colour, &short_query,
               "\033[1mThe mouse wins in 5 plies.\033[0m\n"
               "mouse at 10, cat at 6, the mouse to move\n"
               "\033[32m  1. to 12       The mouse wins in 4 plies.\033[0m\n"
               "  2. to 10       The cat wins in 3 plies.\n");
}

static int show_query_plainly(void *context)
{
  const struct style style = {0};
  show_query(&style, context, NULL);
  return 0;
}

static void test_query_without_moves(void **state)
{
  struct cm_query over = {
      .state = {.mouse = 2, .cat = 2, .turn = CM_CAT}, .outcome = CM_CAT_WINS, .over = true};
  struct cm_query stuck = {.state = {.mouse = 1, .cat = 2, .turn = CM_MOUSE},
                           .outcome = CM_DRAW,
                           .plies = CM_PLIES_NONE};
  (void)state;
  assert_shows(show_query_plainly, &over,
               "The cat has won.\nmouse at 2, cat at 2, the cat to move\nThe game is over.\n");
  assert_shows(show_query_plainly, &stuck,
               "Nobody can force a win: a draw.\n"
               "mouse at 1, cat at 2, the mouse to move\nThere is no move.\n");
}

static int show_a_line(void *context)
{
  const struct style style = {0};
  show_line(&style, context);
  return 0;
}

static void test_line(void **state)
{
  static uint32_t nodes[] = {12, 6, 4};
  static bool only[] = {false, true, true};
  const struct limited limited = {4, {CM_MOUSE_WINS, 3}};
  struct shown_line line = {.line = {.state = {.mouse = 10, .cat = 6, .turn = CM_MOUSE},
                                     .outcome = CM_MOUSE_WINS,
                                     .plies = 3,
                                     .moves_count = 3,
                                     .end = CM_END_HOME,
                                     .cols = 5},
                            .moves = nodes,
                            .only = only,
                            .known_count = 2};
  (void)state;
  assert_shows(show_a_line, &line,
               "The mouse wins in 3 plies.\n"
               "mouse at 2:0, cat at 1:1, the mouse to move\n"
               "  1. mouse to 2:2       2:2,1:1,cat\n"
               "  2. cat   stays at 1:1 2:2,1:1,mouse    only move\n"
               "  3. mouse to 0:4       0:4,1:1,cat\n"
               "     home\n");
  line.limited = &limited;
  line.limit_plies = 4;
  line.line.end = CM_END_LIMIT;
  line.line.moves_count = 0;
  assert_shows(show_a_line, &line,
               "Within 4 plies: the mouse wins in 3 plies, as without a limit.\n"
               "mouse at 2:0, cat at 1:1, the mouse to move\n"
               "     cut by the limit of 4 plies\n");
  line.limited = NULL;
  assert_shows(show_a_line, &line,
               "The mouse wins in 3 plies.\n"
               "mouse at 2:0, cat at 1:1, the mouse to move\n"
               "     cut by the game's own limit\n");
}

static int show_leetcode_answers(void *context)
{
  (void)context;
  for (int outcome = CM_MOUSE_WINS; outcome <= CM_DRAW; outcome++)
    show_leetcode(&(struct cm_solved){.game = CM_GRAPH, .outcome = (enum cm_outcome)outcome});
  for (int outcome = CM_MOUSE_WINS; outcome <= CM_CAT_WINS; outcome++)
    show_leetcode(&(struct cm_solved){.game = CM_GRID, .outcome = (enum cm_outcome)outcome});
  return 0;
}

static void test_leetcode(void **state)
{
  (void)state;
  assert_shows(show_leetcode_answers, NULL, "1\n2\n0\ntrue\nfalse\n");
}

static int show_a_verify(void *context)
{
  show_verify(context);
  return 0;
}

static void test_verify(void **state)
{
  struct cm_verify fine = {.correct = true, .checked = 60};
  struct cm_verify wrong = {.checked = 60,
                            .faults = 1,
                            .first = {.mouse = 3, .cat = 2, .turn = CM_CAT},
                            .stored = {CM_MOUSE_WINS, 4},
                            .proper = {CM_DRAW, CM_PLIES_NONE}};
  (void)state;
  assert_shows(show_a_verify, &fine, "Correct: 60 states agree with their successors.\n");
  assert_shows(show_a_verify, &wrong,
               "Wrong: 1 of 60 states disagree with their successors.\n"
               "First at 3,2,cat\n"
               "  the table:      The mouse wins in 4 plies.\n"
               "  its successors: Nobody can force a win: a draw.\n");
  wrong.cols = 2;
  wrong.first.turn = CM_MOUSE;
  assert_shows(show_a_verify, &wrong,
               "Wrong: 1 of 60 states disagree with their successors.\n"
               "First at 1:1,1:0,mouse\n"
               "  the table:      The mouse wins in 4 plies.\n"
               "  its successors: Nobody can force a win: a draw.\n");
}

static int show_some_stats(void *context)
{
  const struct style style = {.columns = *(const uint32_t *)context};
  static const uint64_t histogram[] = {10, 5, 0, 1};
  show_stats(&style, &(struct cm_stats){.game = CM_GRAPH,
                                        .nodes = 3,
                                        .states = 12,
                                        .outcomes = {{5, 1, 0}, {4, 1, 1}},
                                        .longest = {{3, {.mouse = 1, .cat = 2, .turn = CM_CAT}},
                                                    {CM_PLIES_NONE, {0}}},
                                        .histogram = {histogram, NULL},
                                        .histogram_count = {4, 0}});
  return 0;
}

static void test_stats(void **state)
{
  uint32_t columns = 29, least = 1;
  struct captured captured;
  (void)state;
  assert_shows(show_some_stats, &columns,
               "graph of 3 nodes, 12 of 18 states can be asked about\n"
               "to move    mouse wins     cat wins      endless\n"
               "mouse               5            1            0\n"
               "cat                 4            1            1\n"
               "longest win of the mouse: 3 plies, from 1,2,cat\n"
               "\n"
               "states the mouse wins, by plies\n"
               "     0         10 ##########\n"
               "     1          5 #####\n"
               "     2          0 \n"
               "     3          1 #\n");
  capture(show_some_stats, &least, &captured);
  assert_contains(captured.out, "     0         10 #\n");
}

/* A row a ply where there is room for that, else for as many plies as it takes. */
static int show_long_wins(void *context)
{
  const struct style style = {0};
  static const uint64_t histogram[41] = {[0] = 3, [2] = 1, [40] = 4};
  (void)context;
  show_stats(&style, &(struct cm_stats){.game = CM_GRAPH,
                                        .nodes = 3,
                                        .longest = {{CM_PLIES_NONE, {0}},
                                                    {1, {.mouse = 1, .cat = 2, .turn = CM_MOUSE}}},
                                        .histogram = {NULL, histogram},
                                        .histogram_count = {0, 41}});
  return 0;
}

static void test_stats_of_long_wins(void **state)
{
  struct captured captured;
  (void)state;
  capture(show_long_wins, NULL, &captured);
  assert_contains(captured.out, "longest win of the cat: 1 ply, from 1,2,mouse\n");
  assert_contains(captured.out, "states the cat wins, by plies, 3 to a row\n     0          4 ###");
  assert_contains(captured.out, "    39          4 ###");
}

static int show_a_solve(void *context)
{
  const struct cm_solved known = {
      .id = "0123456789abcdef", .nodes = 6, .states = 72, .bytes = 72, .source = CM_FROM_MEMORY};
  const struct style style = {0};
  (void)context;
  show_solved(&style, &known);
  return 0;
}

static void test_solve(void **state)
{
  (void)state;
  assert_shows(show_a_solve, NULL,
               "The mouse has won.\n"
               "graph of 6 nodes, 72 states, table of 72 bytes, known already\n"
               "start 0,0,mouse\n"
               "id 0123456789abcdef\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_query_on_grid),
      cmocka_unit_test(test_query_in_colour),
      cmocka_unit_test(test_query_without_moves),
      cmocka_unit_test(test_line),
      cmocka_unit_test(test_leetcode),
      cmocka_unit_test(test_verify),
      cmocka_unit_test(test_stats),
      cmocka_unit_test(test_stats_of_long_wins),
      cmocka_unit_test(test_solve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
