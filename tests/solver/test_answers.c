/*
 * What is read off a table: limits against minimax, the ranking, every end of a line, counts, long
 * games.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/answer.h"
#include "solver/solve.h"
#include "solver/stats.h"
#include "solver/verify.h"
#include "tests/solver/random_puzzle.h"

enum { LIMITED = 300, DEPTH = 5, MOVES_MOST = 64 };

static struct table *solved(const struct arena *arena)
{
  struct table *table;
  assert_int_equal(solve(arena, NULL, &table), 0);
  return table;
}

static struct arena *graph_of(uint32_t nodes, const uint32_t *first, const int32_t *neighbour)
{
  struct puzzle puzzle = {
      .game = GAME_GRAPH,
      .graph = {.nodes = nodes, .first = first, .neighbour = neighbour},
  };
  struct arena *arena;
  struct complaint complaint;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  return arena;
}

static struct arena *grid_of(uint32_t rows, const char *const *row, int32_t mouse, int32_t cat)
{
  uint32_t length[8];
  for (uint32_t i = 0; i < rows; i++)
    length[i] = (uint32_t)strlen(row[i]);
  struct puzzle puzzle = {
      .game = GAME_GRID,
      .grid = {.rows = rows, .row = row, .row_length = length, .jump = {mouse, cat}},
  };
  struct arena *arena;
  struct complaint complaint;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  return arena;
}

static struct state after(struct state state, uint32_t to)
{
  *(state.turn == PLAYER_MOUSE ? &state.mouse : &state.cat) = to;
  state.turn = player_other(state.turn);
  return state;
}

/* The literature's depth-bounded minimax, from the mover's side: 1 won, 0 not ended, -1 lost. */
static int minimax(const struct arena *arena, struct state state, unsigned depth)
{
  int mouse_is = state.turn == PLAYER_MOUSE ? 1 : -1;
  if (state.mouse == state.cat || node_in(arena->home[PLAYER_CAT], state.cat))
    return -mouse_is;
  if (node_in(arena->home[PLAYER_MOUSE], state.mouse))
    return mouse_is;
  uint32_t from = state.turn == PLAYER_MOUSE ? state.mouse : state.cat;
  const struct moves *moves = &arena->moves[state.turn];
  if (depth == 0 || moves->begin[from] == moves->end[from])
    return 0;
  int best = -1;
  for (uint32_t i = moves->begin[from]; i < moves->end[from] && best < 1; i++) {
    int value = -minimax(arena, after(state, moves->to[i]), depth - 1);
    best = value > best ? value : best;
  }
  return best;
}

static void check_limits(const struct arena *arena, struct state state)
{
  struct table *table = solved(arena);
  for (uint32_t limit = 1; limit <= DEPTH; limit++) {
    int value = minimax(arena, state, limit);
    enum outcome mover = (enum outcome)state.turn;
    enum outcome other = (enum outcome)player_other(state.turn);
    enum outcome expected = value > 0 ? mover : value < 0 ? other : arena->endless;
    struct answer_value ours = answer_value(arena, table, &state, limit);
    assert_int_equal(ours.outcome, expected);
    assert_true((ours.plies == PLIES_NONE) == (value == 0));
  }
  table_free(table);
}

static void test_limits_are_minimax(void **unused)
{
  (void)unused;
  struct chance chance = {7};
  for (int i = 0; i < LIMITED; i++) {
    struct arena *arena = i % 2 ? random_graph(&chance, 10) : random_grid(&chance, 12);
    struct state state = arena->start;
    state.turn = (enum player)chance_below(&chance, 2);
    check_limits(arena, state);
    arena_free(arena);
  }
}

/*
 * Wins by fewest plies, endless ones, losses by most plies: a number that grows from best to worst.
 */
static uint64_t badness(const struct ranked_move *move, enum player mover)
{
  if (move->value.plies == PLIES_NONE)
    return UINT64_C(1) << 40;
  return move->value.outcome == (enum outcome)mover ? move->value.plies
                                                    : (UINT64_C(1) << 41) - move->value.plies;
}

static void test_moves_are_ranked(void **unused)
{
  (void)unused;
  struct chance chance = {11};
  for (int i = 0; i < LIMITED; i++) {
    struct arena *arena = i % 2 ? random_graph(&chance, 24) : random_grid(&chance, 24);
    struct table *table = solved(arena);
    struct ranked_move moves[MOVES_MOST];
    size_t count = answer_move_count(arena, &arena->start);
    answer_moves(arena, table, &arena->start, LIMIT_NONE, moves);
    for (size_t at = 1; at < count; at++) {
      uint64_t better = badness(&moves[at - 1], PLAYER_MOUSE);
      uint64_t worse = badness(&moves[at], PLAYER_MOUSE);
      assert_true(better < worse || (better == worse && moves[at - 1].to < moves[at].to));
    }
    table_free(table);
    arena_free(arena);
  }
}

static void assert_line(const struct arena *arena, struct state state, uint32_t limit, uint32_t max,
                        enum line_end end, uint32_t count)
{
  struct table *table = solved(arena);
  struct line line;
  assert_int_equal(answer_line(arena, table, &state, limit, max, &line), 0);
  assert_int_equal(line.end, end);
  assert_int_equal(line.count, count);
  free(line.moves);
  table_free(table);
}

static void test_lines_end(void **unused)
{
  (void)unused;
  const uint32_t draw_first[] = {0, 2, 3, 6, 9, 11, 14};
  const int32_t draw[] = {2, 5, 3, 0, 4, 5, 1, 4, 5, 2, 3, 0, 2, 3};
  struct arena *arena = graph_of(6, draw_first, draw);
  assert_line(arena, arena->start, LIMIT_NONE, 100, LINE_REPEATS, 5);
  assert_line(arena, arena->start, LIMIT_NONE, 3, LINE_FULL, 3);
  assert_line(arena, arena->start, 2, 100, LINE_LIMIT, 2);
  arena_free(arena);

  const char *const row[] = {"M.C...F"};
  arena = grid_of(1, row, 4, 1);
  assert_line(arena, arena->start, LIMIT_NONE, 100, LINE_HOME, 3);
  arena_free(arena);
  arena = grid_of(1, row, 3, 1);
  struct table *table = solved(arena);
  struct answer_value value = answer_value(arena, table, &arena->start, LIMIT_NONE);
  assert_int_equal(value.outcome, OUTCOME_CAT);
  assert_int_equal(value.plies, 8);
  table_free(table);
  arena_free(arena);

  const uint32_t caught_first[] = {0, 1, 2, 4};
  const int32_t caught[] = {2, 2, 0, 1};
  arena = graph_of(3, caught_first, caught);
  assert_line(arena, arena->start, LIMIT_NONE, 100, LINE_CAUGHT, 1);
  arena_free(arena);

  const uint32_t stuck_first[] = {0, 1, 1, 2};
  const int32_t stuck[] = {2, 0};
  arena = graph_of(3, stuck_first, stuck);
  assert_line(arena, arena->start, LIMIT_NONE, 100, LINE_STUCK, 0);
  arena_free(arena);
}

static void test_stats_count_every_state(void **unused)
{
  (void)unused;
  struct chance chance = {13};
  for (int i = 0; i < LIMITED; i++) {
    struct arena *arena = i % 2 ? random_graph(&chance, 24) : random_grid(&chance, 24);
    struct table *table = solved(arena);
    struct table_stats stats;
    uint64_t counted[2] = {0, 0};
    assert_int_equal(table_stats_init(&stats, arena, table, NULL), 0);
    for (int winner = 0; winner < 2; winner++) {
      for (uint32_t plies = 0; plies < stats.histogram_count[winner]; plies++)
        counted[winner] += stats.histogram[winner][plies];
      assert_int_equal(counted[winner], stats.outcomes[0][winner] + stats.outcomes[1][winner]);
      if (stats.histogram_count[winner] == 0)
        continue;
      struct table_value longest = table_value(table, stats.longest[winner].state);
      assert_int_equal(longest.outcome, winner);
      assert_int_equal(longest.plies, stats.histogram_count[winner] - 1);
      assert_true(stats.histogram[winner][longest.plies] > 0);
    }
    table_stats_deinit(&stats);
    table_free(table);
    arena_free(arena);
  }
}

/*
 * The mouse is driven round one directed cycle and the cat round another that shares only node 0
 * with it: they meet after as many turns as the lengths' product allows.
 */
static void check_cycles(uint32_t mouse_cycle, uint32_t cat_cycle, uint32_t width)
{
  uint32_t nodes = mouse_cycle + cat_cycle - 1;
  uint32_t *list = calloc(6 * (size_t)nodes, sizeof *list);
  uint64_t *sets = calloc(2 * ((size_t)nodes / 64 + 1), sizeof *sets);
  assert_non_null(list);
  assert_non_null(sets);
  uint32_t *begin[2] = {list, list + nodes}, *end[2] = {list + 2 * nodes, list + 3 * nodes};
  uint32_t *to[2] = {list + 4 * nodes, list + 5 * nodes};
  for (uint32_t at = 0; at < mouse_cycle; at++) {
    to[0][at] = (at + 1) % mouse_cycle;
    begin[0][at] = at;
    end[0][at] = at + 1;
  }
  for (uint32_t at = 0; at < cat_cycle; at++) {
    uint32_t node = at == 0 ? 0 : mouse_cycle + at - 1;
    to[1][node] = (at + 1) % cat_cycle == 0 ? 0 : mouse_cycle + at;
    begin[1][node] = node;
    end[1][node] = node + 1;
  }
  struct arena parts = {
      .game = GAME_GRAPH,
      .nodes = nodes,
      .moves = {{begin[0], end[0], to[0]}, {begin[1], end[1], to[1]}},
      .home = {sets, sets},
      .barred = {sets, sets},
      .endless = OUTCOME_DRAW,
  };
  struct arena *arena;
  assert_int_equal(arena_new_from_parts(&parts, &arena), 0);
  struct table *table = solved(arena);
  struct verification found;
  struct table_stats stats;
  assert_int_equal(table->width, width);
  assert_int_equal(verify(arena, table, NULL, &found), 0);
  assert_int_equal(found.faults, 0);
  assert_int_equal(table_stats_init(&stats, arena, table, NULL), 0);
  assert_true(stats.longest[PLAYER_CAT].plies > mouse_cycle * cat_cycle);
  table_stats_deinit(&stats);
  table_free(table);
  arena_free(arena);
  free(sets);
  free(list);
}

static void test_long_games_get_wider_cells(void **unused)
{
  (void)unused;
  check_cycles(4, 5, 1);
  check_cycles(13, 14, 2);
  check_cycles(181, 182, 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limits_are_minimax),
      cmocka_unit_test(test_moves_are_ranked),
      cmocka_unit_test(test_lines_end),
      cmocka_unit_test(test_stats_count_every_state),
      cmocka_unit_test(test_long_games_get_wider_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
