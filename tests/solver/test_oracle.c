/*
 * The solver and verify against the oracle, on random puzzles from a printed seed ($CATMOUSE_SEED
 * sets it).
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "solver/answer.h"
#include "solver/solve.h"
#include "solver/verify.h"
#include "tests/solver/oracle.h"
#include "tests/solver/random_puzzle.h"

typedef struct arena *maker(struct chance *, uint32_t);

enum { GRAPHS = 9000, GRIDS = 9000, ARENAS = 6000, SPOILS = 300, SEED = 20260 };

static struct chance seeded(void)
{
  const char *text = getenv("CATMOUSE_SEED");
  struct chance chance = {text ? strtoull(text, NULL, 10) : SEED};
  print_message("# seed %" PRIu64 "\n", chance.state);
  return chance;
}

static void assert_same(const struct arena *arena, const struct table *table, uint64_t seed)
{
  struct table_value *values = oracle_solve(arena);
  const struct table_value *value = values;
  for (int turn = 0; turn < 2; turn++) {
    for (uint32_t mouse = 0; mouse < arena->nodes; mouse++) {
      for (uint32_t cat = 0; cat < arena->nodes; cat++, value++) {
        struct table_value ours = table_value(table, (struct state){mouse, cat, turn});
        if (ours.outcome != value->outcome || ours.plies != value->plies)
          fail_msg("generator %" PRIu64 ", state %u,%u,%d: outcome %d in %u plies, but %d in %u",
                   seed, mouse, cat, turn, ours.outcome, ours.plies, value->outcome, value->plies);
      }
    }
  }
  free(values);
}

static void assert_verified(const struct arena *arena, const struct table *table)
{
  struct verification found;
  assert_int_equal(verify(arena, table, NULL, &found), 0);
  assert_int_equal(found.faults, 0);
}

static void check_many(maker *make, int count)
{
  struct chance chance = seeded();
  for (int i = 0; i < count; i++) {
    uint64_t seed = chance.state;
    struct arena *arena = make(&chance, 4 + chance_below(&chance, 20));
    struct table *table;
    assert_int_equal(solve(arena, NULL, &table), 0);
    assert_same(arena, table, seed);
    assert_verified(arena, table);
    table_free(table);
    arena_free(arena);
  }
}

static void test_graphs(void **state)
{
  (void)state;
  check_many(random_graph, GRAPHS);
}

static void test_grids(void **state)
{
  (void)state;
  check_many(random_grid, GRIDS);
}

static void test_arenas(void **state)
{
  (void)state;
  check_many(random_arena, ARENAS);
}

static struct table *widened(const struct table *table, uint32_t width)
{
  struct table *wide = table_new(table->nodes, width);
  assert_non_null(wide);
  for (size_t i = 0; i < 2 * (size_t)table->nodes * table->nodes; i++) {
    uint32_t cell = ((const uint8_t *)table->cells)[i];
    if (width == 1)
      ((uint8_t *)wide->cells)[i] = (uint8_t)cell;
    else if (width == 2)
      ((uint16_t *)wide->cells)[i] = (uint16_t)cell;
    else
      ((uint32_t *)wide->cells)[i] = cell;
  }
  return wide;
}

/* Is the state's cell another than its best move says? */
static bool is_faulty(const struct arena *arena, const struct table *table, struct state state)
{
  struct complaint complaint;
  struct ranked_move moves[256];
  struct table_value stored = table_value(table, state);
  size_t count = answer_move_count(arena, &state);
  if (arena_check_state(arena, &state, &complaint))
    return false;
  if (state_is_over(arena, &state)) {
    bool at_home = node_in(arena->home[PLAYER_MOUSE], state.mouse) && state.mouse != state.cat;
    return stored.plies != 0 || stored.outcome != (at_home ? OUTCOME_MOUSE : OUTCOME_CAT);
  }
  answer_moves(arena, table, &state, LIMIT_NONE, moves);
  if (count == 0 || moves[0].value.plies == PLIES_NONE)
    return stored.outcome != OUTCOME_DRAW;
  return stored.outcome != moves[0].value.outcome || stored.plies != moves[0].value.plies + 1;
}

static void assert_faults(const struct arena *arena, const struct table *table,
                          const struct verification *found)
{
  uint64_t faults = 0;
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t mouse = 0; mouse < arena->nodes; mouse++)
      for (uint32_t cat = 0; cat < arena->nodes; cat++) {
        struct state state = {mouse, cat, (enum player)turn};
        if (is_faulty(arena, table, state) && faults++ == 0)
          assert_memory_equal(&found->first, &state, sizeof state);
      }
  assert_int_equal(found->faults, faults);
}

static void spoil(struct chance *chance, const struct arena *arena, const struct table *table)
{
  struct state spoilt = {chance_below(chance, arena->nodes),
                         1 + chance_below(chance, arena->nodes - 1),
                         (enum player)chance_below(chance, 2)};
  uint8_t *cell = (uint8_t *)table->cells + table_place(table, spoilt) * table->width;
  *cell ^= (uint8_t)(1 + chance_below(chance, 100));
}

/* One cell or a few get another value; where nobody can stand, verify has nothing to say. */
static void test_spoilt_tables_are_caught(void **state)
{
  (void)state;
  struct chance chance = seeded();
  for (int i = 0; i < SPOILS; i++) {
    /* states are verified 64 at a time: both within the first 64 and beyond */
    struct arena *arena = random_graph(&chance, i % 2 ? 16 : 130);
    struct table *solved;
    assert_int_equal(solve(arena, NULL, &solved), 0);
    assert_int_equal(solved->width, 1);
    struct table *table = widened(solved, UINT32_C(1) << chance_below(&chance, 3));
    assert_verified(arena, table);
    for (int spoils = i % 3; spoils >= 0; spoils--)
      spoil(&chance, arena, table);
    struct verification found;
    assert_int_equal(verify(arena, table, NULL, &found), 0);
    assert_true(found.faults > 0 || i % 3 > 0); /* several may undo each other */
    assert_faults(arena, table, &found);
    table_free(table);
    table_free(solved);
    arena_free(arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_graphs),
      cmocka_unit_test(test_grids),
      cmocka_unit_test(test_arenas),
      cmocka_unit_test(test_spoilt_tables_are_caught),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
