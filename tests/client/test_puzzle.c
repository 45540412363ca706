/* Puzzles from text of any kind, from arrays, and what is said of what is none. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/client/client_test.h"
#include "tests/client/peer.h"
#include "tests/support/failing_alloc.h"

#define GRID "[\"####F\",\"#C...\",\"M....\"]"

struct refusal {
  const char *text;
  size_t length;
  int error;
  const char *sentence;
};

#define BYTES(text) (text), sizeof(text) - 1

/* clang-format off */
static const struct refusal refusals[] = {
    {BYTES(""), -EINVAL, "line 1, column 1: there is no puzzle"},
    {BYTES("\0"), -EINVAL, "line 1, column 1: this is no part of a puzzle"},
    {BYTES("[[2],[3],[0],[1]"), -EINVAL, "line 1, column 1: this [ is never closed"},
    {BYTES("[[2],\n[3],,[0],[1]]"), -EINVAL, "line 2, column 5: nothing stands before this comma"},
    {BYTES("[[2],[3],[0],[1]] [[2],[3],[0],[1]]"), -EINVAL, "the text holds 2 puzzles, not one"},
    {BYTES(GRID "\n1\n2\n3"), -EINVAL, "line 4, column 1: the number 3 belongs to no puzzle"},
    {BYTES("{\"graph\": 7}"), -EREMOTEIO, "graph is 7, not a list"},
    {BYTES("[[2,9],[3],[0],[1]]"), -EREMOTEIO, "graph[0] lists node 9, but there are 4 nodes"},
    {BYTES("[[1],[0]]"), -EREMOTEIO, "graph has 2 nodes, but the hole"},
    {BYTES(GRID), -EREMOTEIO, "puzzle has a grid but no catJump"},
    {BYTES(GRID "\n1"), -EREMOTEIO, "puzzle has a grid but no mouseJump"},
    {BYTES(GRID "\n1\n99999999999999999999"), -EREMOTEIO, "mouseJump is 99999999999999999999, not a number of cells"},
    {BYTES(GRID "\n1\n0"), -EREMOTEIO, "mouseJump is 0, but must be at least 1"},
};
/* clang-format on */

static void test_refusals(void **state)
{
  struct cm_client *client;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    struct cm_puzzle *puzzle = NULL;
    assert_int_equal(cm_puzzle_parse(client, refusals[i].text, refusals[i].length, &puzzle),
                     refusals[i].error);
    assert_contains(cm_error(client), refusals[i].sentence);
    assert_true((cm_error_name(client) != NULL) == (refusals[i].error == -EREMOTEIO));
    assert_null(puzzle);
  }
  cm_close(client);
}

static struct cm_puzzle *parse_square(struct cm_client *client, size_t side, const char *jumps,
                                      int error)
{
  size_t length = side * (side + 1);
  char *text = malloc(length + strlen(jumps) + 1);
  struct cm_puzzle *puzzle = NULL;
  memset(text, '.', length);
  for (size_t row = 0; row < side; row++)
    text[row * (side + 1) + side] = '\n';
  memcpy(text, "MCF", 3);
  strcpy(text + length, jumps);
  assert_int_equal(cm_puzzle_parse(client, text, length + strlen(jumps), &puzzle), error);
  free(text);
  return puzzle;
}

/* Few cells, but from each as many moves as it has cells in its row and its column. */
static void test_too_many_moves(void **state)
{
  struct cm_client *client;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_null(parse_square(client, 300, "300\n300\n", -EREMOTEIO));
  assert_string_equal(cm_error_name(client), "E_LIMIT");
  assert_string_equal(cm_error(client),
                      "the grid may have 108180000 moves, more than the 64000000 allowed");
  cm_puzzle_free(parse_square(client, 300, "100\n10\n", 0));
  cm_close(client);
}

/* Each of 2^24 neighbours takes five bytes on the wire. */
static void test_too_long_for_a_message(void **state)
{
  enum { NODES = 70000, EDGES = 1 << 24 };
  uint32_t *first = calloc(NODES + 1, sizeof *first);
  int32_t *neighbour = malloc(EDGES * sizeof *neighbour);
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  (void)state;
  for (uint32_t i = 0; i < EDGES; i++)
    neighbour[i] = 0x10000;
  first[NODES] = EDGES;
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(cm_puzzle_graph(client, NODES, first, neighbour, &puzzle), -EREMOTEIO);
  assert_string_equal(cm_error_name(client), "E_LIMIT");
  assert_contains(cm_error(client), "the message is longer than the 67108864 bytes allowed");
  cm_close(client);
  free(first);
  free(neighbour);
}

/* What is sent for it is short. */
static void test_text_longer_than_a_message(void **state)
{
  static const char small[] = "[[1],[0,2],[1]]";
  const size_t length = message_limits_default.message_bytes + sizeof small;
  char *text = malloc(length);
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  (void)state;
  memset(text, ' ', length);
  memcpy(text, small, sizeof small - 1);
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(cm_puzzle_parse(client, text, length, &puzzle), 0);
  assert_int_equal(puzzle->puzzle.graph.nodes, 3);
  cm_puzzle_free(puzzle);
  cm_close(client);
  free(text);
}

static void test_grid(void **state)
{
  static const char box[] = GRID "\n1\n2\n";
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  uint32_t length;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(cm_puzzle_parse(client, BYTES(box), &puzzle), 0);
  assert_int_equal(cm_puzzle_game(puzzle), CM_GRID);
  assert_int_equal(cm_puzzle_rows(puzzle), 3);
  assert_memory_equal(cm_puzzle_row(puzzle, 1, &length), "#C...", 5);
  assert_int_equal(length, 5);
  assert_null(cm_puzzle_row(puzzle, 3, &length));
  assert_int_equal(puzzle->puzzle.grid.jump[PLAYER_CAT], 1);
  assert_int_equal(puzzle->puzzle.grid.jump[PLAYER_MOUSE], 2);
  cm_puzzle_free(puzzle);
  cm_close(client);
}

static void test_graph(void **state)
{
  static const uint32_t first[] = {0, 0, 1, 2};
  static const int32_t neighbour[] = {2, 1};
  static const uint32_t none[] = {0}, late[] = {1, 1, 1, 2}, falling[] = {0, 2, 1, 2};
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  uint32_t length;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  assert_int_equal(cm_puzzle_graph(client, 3, first, neighbour, &puzzle), 0);
  assert_int_equal(cm_puzzle_game(puzzle), CM_GRAPH);
  assert_int_equal(cm_puzzle_rows(puzzle), 0);
  assert_null(cm_puzzle_row(puzzle, 0, &length));
  assert_int_equal(puzzle->puzzle.graph.neighbour[1], 1);
  assert_ptr_not_equal(puzzle->puzzle.graph.neighbour, neighbour);
  cm_puzzle_free(puzzle);
  assert_int_equal(cm_puzzle_graph(client, 0, none, NULL, &puzzle), -EREMOTEIO);
  assert_contains(cm_error(client), "graph has 0 nodes");
  assert_int_equal(cm_puzzle_graph(client, 3, late, neighbour, &puzzle), -EINVAL);
  assert_string_equal(cm_error(client), "first[0] is 1, not 0");
  assert_int_equal(cm_puzzle_graph(client, 3, falling, neighbour, &puzzle), -EINVAL);
  assert_string_equal(cm_error(client), "first[2] is 1, less than first[1], which is 2");
  cm_puzzle_free(NULL);
  cm_close(client);
}

static int make_both(struct cm_client *client)
{
  static const char box[] = GRID "\n1\n2\n";
  static const uint32_t first[] = {0, 0, 1, 2};
  static const int32_t neighbour[] = {2, 1};
  struct cm_puzzle *puzzle;
  int error = cm_puzzle_parse(client, BYTES(box), &puzzle);
  if (error)
    return error;
  cm_puzzle_free(puzzle);
  error = cm_puzzle_graph(client, 3, first, neighbour, &puzzle);
  if (error == 0)
    cm_puzzle_free(puzzle);
  return error;
}

static void test_memory_runs_out(void **state)
{
  struct cm_client *client;
  bool failed = true;
  (void)state;
  assert_int_equal(cm_open(NULL, &client), 0);
  for (long nth = 0; failed; nth++) {
    failing_alloc_arm(nth);
    int error = make_both(client);
    failed = failing_alloc_disarm();
    assert_int_equal(failing_alloc_outstanding(), 0);
    assert_int_equal(error, failed ? -ENOMEM : 0);
    assert_in_range(nth, 0, 1000);
  }
  cm_close(client);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_too_many_moves),
      cmocka_unit_test(test_too_long_for_a_message),
      cmocka_unit_test(test_text_longer_than_a_message),
      cmocka_unit_test(test_grid),
      cmocka_unit_test(test_graph),
      cmocka_unit_test(test_memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
