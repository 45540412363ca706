/*
 * Puzzles and states that are refused, each with its sentence; ids; and every allocation that can
 * fail.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/answer.h"
#include "solver/id.h"
#include "solver/solve.h"
#include "solver/stats.h"
#include "tests/support/failing_alloc.h"

enum { ROWS_MOST = 8 };

/* A graph game's puzzle from lists that end in END, one after the other. */
#define END INT32_MAX

struct lists {
  uint32_t first[ROWS_MOST + 1];
  int32_t neighbour[64];
  struct puzzle puzzle;
};

static struct puzzle *graph(struct lists *lists, uint32_t nodes, const int32_t *list)
{
  uint32_t count = 0;
  for (uint32_t node = 0; node < nodes; node++, list++) {
    lists->first[node] = count;
    for (; *list != END; list++)
      lists->neighbour[count++] = *list;
  }
  lists->first[nodes] = count;
  lists->puzzle = (struct puzzle){
      .game = GAME_GRAPH,
      .graph = {.nodes = nodes, .first = lists->first, .neighbour = lists->neighbour},
  };
  return &lists->puzzle;
}

static void assert_refused(const struct puzzle *puzzle, const char *sentence)
{
  struct arena *arena = NULL;
  struct complaint complaint;
  assert_int_equal(arena_new(puzzle, &arena, &complaint), -EINVAL);
  assert_string_equal(complaint.text, sentence);
  assert_null(arena);
}

static void test_bad_graphs(void **state)
{
  (void)state;
  struct lists lists;
  assert_refused(graph(&lists, 0, (int32_t[]){END}),
                 "graph has 0 nodes, but the hole, the mouse and the cat need 3");
  assert_refused(graph(&lists, 1, (int32_t[]){END}),
                 "graph has 1 node, but the hole, the mouse and the cat need 3");
  assert_refused(graph(&lists, 3, (int32_t[]){2, END, 9, END, 0, END}),
                 "graph[1] lists node 9, but there are 3 nodes");
  assert_refused(graph(&lists, 3, (int32_t[]){2, END, -1, END, 0, END}),
                 "graph[1] lists node -1, but there are 3 nodes");
  assert_refused(graph(&lists, 3, (int32_t[]){2, END, 1, END, 0, END}), "graph[1] lists itself");
  assert_refused(graph(&lists, 3, (int32_t[]){2, 2, END, 2, END, 0, 1, END}),
                 "graph[0] lists node 2 twice");
  assert_refused(graph(&lists, 3, (int32_t[]){2, END, END, 0, 1, END}),
                 "graph[2] lists node 1, but graph[1] does not list node 2");
}

static struct puzzle grid(uint32_t rows, const char *const *row, uint32_t *length, int32_t mouse,
                          int32_t cat)
{
  for (uint32_t i = 0; i < rows; i++)
    length[i] = (uint32_t)strlen(row[i]);
  return (struct puzzle){
      .game = GAME_GRID,
      .grid = {.rows = rows, .row = row, .row_length = length, .jump = {mouse, cat}},
  };
}

static void test_bad_grids(void **state)
{
  (void)state;
  const struct {
    const char *row[3];
    uint32_t rows;
    int32_t mouse, cat;
    const char *sentence;
  } bad[] = {
      {{"MCF"}, 0, 1, 1, "the grid is empty"},
      {{""}, 1, 1, 1, "the grid is empty"},
      {{"MCF", "...."}, 2, 1, 1, "grid[1] has 4 cells, but grid[0] has 3"},
      {{"MCF", "..x"}, 2, 1, 1, "grid[1][2] is 'x', not one of # . C F M"},
      {{"MCF", ".\n."}, 2, 1, 1, "grid[1][1] is 0x0a, not one of # . C F M"},
      {{".CF"}, 1, 1, 1, "the grid has no M"},
      {{"M.F"}, 1, 1, 1, "the grid has no C"},
      {{"MC."}, 1, 1, 1, "the grid has no F"},
      {{"MCF", "..M"}, 2, 1, 1, "a second M at grid[1][2]"},
      {{"MCF"}, 1, 0, 1, "mouseJump is 0, but must be at least 1"},
      {{"MCF"}, 1, 1, -3, "catJump is -3, but must be at least 1"},
  };
  uint32_t length[ROWS_MOST];
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct puzzle puzzle = grid(bad[i].rows, bad[i].row, length, bad[i].mouse, bad[i].cat);
    if (bad[i].rows == 0)
      length[0] = 3;
    assert_refused(&puzzle, bad[i].sentence);
  }
}

/* Long jumps: found out before anything is made of them. */
static void test_a_grid_of_too_many_moves(void **state)
{
  (void)state;
  enum { CELLS = 12000 };
  static char row[CELLS];
  memset(row, '.', sizeof row);
  memcpy(row, "MCF", 3);
  const char *const rows[] = {row};
  uint32_t length = CELLS;
  struct puzzle puzzle = {
      .game = GAME_GRID,
      .grid = {.rows = 1, .row = rows, .row_length = &length, .jump = {CELLS, INT32_MAX}}};
  assert_refused(&puzzle, "the grid has 288000000 moves, but at most 134217728 are taken");
}

static void assert_bad_state(const struct arena *arena, struct state state, const char *sentence)
{
  struct complaint complaint;
  assert_int_equal(arena_check_state(arena, &state, &complaint), -EINVAL);
  assert_string_equal(complaint.text, sentence);
}

static void test_bad_states(void **state)
{
  (void)state;
  struct lists lists;
  struct arena *arena;
  struct complaint complaint;
  const int32_t list[] = {2, END, 2, END, 0, 1, END};
  assert_int_equal(arena_new(graph(&lists, 3, list), &arena, &complaint), 0);
  assert_bad_state(arena, (struct state){3, 1, PLAYER_MOUSE},
                   "state.mouse is 3, but the nodes are 0..2");
  assert_bad_state(arena, (struct state){1, 0, PLAYER_CAT},
                   "state.cat is 0, the hole, where the cat cannot go");
  arena_free(arena);

  uint32_t length[ROWS_MOST];
  const char *const row[] = {"MC#", "..F"};
  struct puzzle puzzle = grid(2, row, length, 1, 1);
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  assert_bad_state(arena, (struct state){2, 1, PLAYER_MOUSE},
                   "state.mouse is 2, a wall (row 0, column 2)");
  arena_free(arena);
}

static void id_of(const struct puzzle *puzzle, char text[static ID_TEXT + 1])
{
  struct arena *arena;
  struct complaint complaint;
  struct id id;
  assert_int_equal(arena_new(puzzle, &arena, &complaint), 0);
  arena_id(arena, &id);
  id_format(&id, text);
  arena_free(arena);
}

static void test_ids(void **state)
{
  (void)state;
  struct lists one, other;
  char first[ID_TEXT + 1], second[ID_TEXT + 1];
  id_of(graph(&one, 3, (int32_t[]){2, END, 2, END, 0, 1, END}), first);
  id_of(graph(&other, 3, (int32_t[]){2, END, 2, END, 1, 0, END}), second);
  assert_string_equal(first, second);
  id_of(graph(&other, 3, (int32_t[]){1, 2, END, 0, 2, END, 1, 0, END}), second);
  assert_string_not_equal(first, second);

  uint32_t length[ROWS_MOST];
  const char *const row[] = {"MC.F"}, *const moved[] = {"CM.F"};
  struct puzzle grid_one = grid(1, row, length, 1, 2), grid_moved = grid(1, moved, length, 1, 2);
  struct puzzle grid_faster = grid(1, row, length, 2, 2);
  id_of(&grid_one, first);
  id_of(&grid_moved, second);
  assert_string_equal(first, second);
  id_of(&grid_faster, second);
  assert_string_not_equal(first, second);
}

/* Everything from a puzzle to its line and statistics. 0 or -ENOMEM. */
static int do_all(const struct puzzle *puzzle)
{
  struct arena *arena;
  struct table *table;
  struct complaint complaint;
  struct line line;
  struct table_stats stats;
  int status = arena_new(puzzle, &arena, &complaint);
  if (status < 0)
    return status;
  status = solve(arena, &(struct solve_options){.threads = 1}, &table);
  if (status < 0)
    goto arena;
  status = answer_line(arena, table, &arena->start, LIMIT_NONE, 1000, &line);
  if (status < 0)
    goto table;
  free(line.moves);
  status = table_stats_init(&stats, arena, table, NULL);
  if (status == 0)
    table_stats_deinit(&stats);
table:
  table_free(table);
arena:
  arena_free(arena);
  return status;
}

static void test_every_allocation_may_fail(void **state)
{
  (void)state;
  struct lists lists;
  const int32_t list[] = {2, 5, END, 3, END, 0, 4, 5, END, 1, 4, 5, END, 2, 3, END, 0, 2, 3, END};
  const struct puzzle *puzzle = graph(&lists, 6, list);
  bool reached = true;
  for (long nth = 0; reached; nth++) {
    failing_alloc_arm(nth);
    int status = do_all(puzzle);
    long outstanding = failing_alloc_outstanding();
    reached = failing_alloc_disarm();
    assert_int_equal(status, reached ? -ENOMEM : 0);
    assert_int_equal(outstanding, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bad_graphs),
      cmocka_unit_test(test_bad_grids),
      cmocka_unit_test(test_a_grid_of_too_many_moves),
      cmocka_unit_test(test_bad_states),
      cmocka_unit_test(test_ids),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
