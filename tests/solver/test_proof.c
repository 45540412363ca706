/*
 * Proofs: what explain() makes, proof_check() accepts, and what is spoilt it accepts only where the claim is true
 * all the same, which the oracle knows. Random puzzles from a printed seed ($CATMOUSE_SEED sets it).
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/answer.h"
#include "solver/explain.h"
#include "solver/proof_check.h"
#include "solver/solve.h"
#include "tests/solver/oracle.h"
#include "tests/solver/random_puzzle.h"
#include "tests/support/failing_alloc.h"

typedef struct arena *maker(struct chance *, uint32_t);

enum { PUZZLES = 600, STATES = 8, SPOILS = 6, SEED = 913, STATES_MAX = 100000, SHORT = 8 };

static struct chance seeded(void)
{
  const char *text = getenv("CATMOUSE_SEED");
  struct chance chance = {text ? strtoull(text, NULL, 10) : SEED};
  print_message("# seed %" PRIu64 "\n", chance.state);
  return chance;
}

static struct state random_state(struct chance *chance, const struct arena *arena)
{
  struct complaint complaint;
  struct state state;
  do {
    state = (struct state){chance_below(chance, arena->nodes), chance_below(chance, arena->nodes),
                           (enum player)chance_below(chance, 2)};
  } while (arena_check_state(arena, &state, &complaint) < 0);
  return state;
}

/* Is what is claimed so, by the oracle's values? A win may take fewer plies than are claimed. */
static bool is_true(const struct arena *arena, const struct table_value *values,
                    const struct claim *claim)
{
  const struct state *at = &claim->state;
  struct complaint complaint;
  if (arena_check_state(arena, at, &complaint) < 0)
    return false;
  struct table_value value =
      values[((size_t)at->turn * arena->nodes + at->mouse) * arena->nodes + at->cat];
  uint32_t limit = claim->limit_plies ? claim->limit_plies : PLIES_NONE;
  if (value.plies == 0)
    return claim->outcome == value.outcome && claim->plies == 0;
  if (claim->plies != PLIES_NONE)
    return claim->outcome == value.outcome && value.plies <= claim->plies && claim->plies <= limit;
  bool in_time = value.outcome != OUTCOME_DRAW && value.plies <= limit;
  bool counted = claim->outcome == arena->endless;
  return counted &&
         (!in_time || (claim->outcome != OUTCOME_DRAW && value.outcome == claim->outcome));
}

static void spoil_state(struct chance *chance, const struct arena *arena, struct proof_state *at)
{
  switch (chance_below(chance, 7)) {
  case 0: at->plies = at->plies == PLIES_NONE ? chance_below(chance, 20) : PLIES_NONE; break;
  case 1: at->plies += chance_below(chance, 3) + 1; break;
  case 2: at->plies -= at->plies > 0 ? 1 + chance_below(chance, at->plies) : 0; break;
  case 3: at->move = at->move == MOVE_NONE ? chance_below(chance, arena->nodes) : MOVE_NONE; break;
  case 4: at->move = chance_below(chance, arena->nodes + 1); break;
  case 5: at->state = random_state(chance, arena); break;
  default: at->state.turn = player_other(at->state.turn);
  }
}

static void spoil_claim(struct chance *chance, const struct arena *arena, struct claim *claim)
{
  switch (chance_below(chance, 5)) {
  case 0:
    claim->outcome = (enum outcome)((claim->outcome + 1 + chance_below(chance, 2)) % 3);
    break;
  case 1: claim->plies = claim->plies == PLIES_NONE ? chance_below(chance, 20) : PLIES_NONE; break;
  case 2: claim->plies -= claim->plies > 0; break;
  case 3: claim->limit_plies = chance_below(chance, 20); break;
  default: claim->state = random_state(chance, arena);
  }
}

static void spoil_strategy(struct chance *chance, const struct arena *arena,
                           struct strategy *strategy)
{
  if (strategy->states_count == 0)
    return;
  uint32_t at = chance_below(chance, strategy->states_count);
  struct proof_state *last = &strategy->states[strategy->states_count - 1];
  switch (chance_below(chance, 8)) {
  case 0: strategy->player = player_other(strategy->player); break;
  case 1: strategy->goal = strategy->goal == GOAL_WIN ? GOAL_HOLD : GOAL_WIN; break;
  case 2:
    strategy->states[at] = *last;
    strategy->states_count--;
    break;
  case 3:
    strategy->states[at] = *last;
    break; /* where `at` is the last itself, nothing is spoilt */
  default: spoil_state(chance, arena, &strategy->states[at]);
  }
}

static void spoil(struct chance *chance, const struct arena *arena, struct proof *proof)
{
  uint32_t which = chance_below(chance, 4);
  if (proof->strategies_count == 0 || which == 0)
    spoil_claim(chance, arena, &proof->claim);
  else
    spoil_strategy(chance, arena, &proof->strategies[which % proof->strategies_count]);
}

static struct proof copied(const struct proof *proof)
{
  struct proof copy = *proof;
  for (uint32_t i = 0; i < proof->strategies_count; i++) {
    size_t bytes = proof->strategies[i].states_count * sizeof *copy.strategies[i].states;
    copy.strategies[i].states = malloc(bytes);
    assert_non_null(copy.strategies[i].states);
    memcpy(copy.strategies[i].states, proof->strategies[i].states, bytes);
  }
  return copy;
}

/* How often a spoilt proof was refused, and accepted. */
struct tally {
  unsigned refused, accepted;
};

static void check_spoilt(struct chance *chance, const struct arena *arena,
                         const struct table_value *values, const struct proof *proof,
                         struct tally *tally)
{
  struct proof spoilt = copied(proof);
  struct complaint complaint = {""};
  for (uint32_t times = 1 + chance_below(chance, 2); times > 0; times--)
    spoil(chance, arena, &spoilt);
  int status = proof_check(arena, &spoilt, &complaint);
  if (status == 0) {
    tally->accepted++;
    assert_true(is_true(arena, values, &spoilt.claim));
  } else {
    tally->refused++;
    assert_int_equal(status, -EINVAL);
    assert_true(strlen(complaint.text) > 0);
  }
  proof_deinit(&spoilt);
}

static void check_state(struct chance *chance, const struct arena *arena, const struct table *table,
                        const struct table_value *values, struct tally *tally)
{
  struct state state = random_state(chance, arena);
  uint32_t limit = chance_below(chance, 3) == 0 ? 1 + chance_below(chance, SHORT) : LIMIT_NONE;
  struct answer_value value = answer_value(arena, table, &state, limit);
  struct proof proof;
  struct complaint complaint;
  assert_int_equal(explain(arena, table, &state, limit, STATES_MAX, &proof), 0);
  assert_int_equal(proof.claim.outcome, value.outcome);
  assert_int_equal(proof.claim.plies, value.plies);
  assert_true(is_true(arena, values, &proof.claim));
  if (proof_check(arena, &proof, &complaint) != 0)
    fail_msg("%s", complaint.text);
  for (int i = 0; i < SPOILS; i++)
    check_spoilt(chance, arena, values, &proof, tally);
  proof_deinit(&proof);
}

static void check_many(maker *make)
{
  struct chance chance = seeded();
  struct tally tally = {0};
  for (int i = 0; i < PUZZLES; i++) {
    struct arena *arena = make(&chance, 4 + chance_below(&chance, 14));
    struct table_value *values = oracle_solve(arena);
    struct complaint complaint;
    struct state any = {0, 0, PLAYER_MOUSE};
    struct table *table;
    assert_int_equal(solve(arena, NULL, &table), 0);
    bool askable = false; /* arenas of no game may bar a player from everywhere */
    for (; !askable && any.mouse < arena->nodes; any.mouse++)
      for (any.cat = 0; !askable && any.cat < arena->nodes; any.cat++)
        askable = arena_check_state(arena, &any, &complaint) == 0;
    for (int at = 0; askable && at < STATES; at++)
      check_state(&chance, arena, table, values, &tally);
    table_free(table);
    free(values);
    arena_free(arena);
  }
  print_message("# %u spoilt proofs refused, %u true all the same\n", tally.refused,
                tally.accepted);
  assert_true(tally.refused > 2 * tally.accepted);
}

static void test_graphs(void **state)
{
  (void)state;
  check_many(random_graph);
}

static void test_grids(void **state)
{
  (void)state;
  check_many(random_grid);
}

static void test_arenas(void **state)
{
  (void)state;
  check_many(random_arena);
}

static struct arena *graph(uint32_t nodes, const uint32_t *first, const int32_t *neighbour)
{
  struct puzzle puzzle = {.game = GAME_GRAPH, .graph = {nodes, first, neighbour}};
  struct arena *arena;
  struct complaint complaint;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  return arena;
}

/* Nodes in a row, 0-1-2-3 and so on. */
static struct arena *path(uint32_t nodes)
{
  uint32_t first[64];
  int32_t neighbour[128];
  uint32_t count = 0;
  for (uint32_t node = 0; node < nodes; node++) {
    first[node] = count;
    if (node > 0)
      neighbour[count++] = (int32_t)node - 1;
    if (node + 1 < nodes)
      neighbour[count++] = (int32_t)node + 1;
  }
  first[nodes] = count;
  return graph(nodes, first, neighbour);
}

/* LeetCode's first example, a draw. */
static struct arena *drawn(void)
{
  static const uint32_t first[] = {0, 2, 3, 6, 9, 11, 14};
  static const int32_t neighbour[] = {2, 5, 3, 0, 4, 5, 1, 4, 5, 2, 3, 0, 2, 3};
  return graph(6, first, neighbour);
}

/* What is wrong is said of the first state that fails, and of no other. */
static void test_the_first_failing_state_is_named(void **unused)
{
  (void)unused;
  struct arena *arena = path(6);
  struct table *table;
  struct proof proof;
  struct complaint complaint;
  struct state state = {3, 1, PLAYER_MOUSE};
  assert_int_equal(solve(arena, NULL, &table), 0);
  assert_int_equal(explain(arena, table, &state, LIMIT_NONE, STATES_MAX, &proof), 0);
  struct strategy *strategy = &proof.strategies[0];
  assert_int_equal(proof.strategies_count, 1);
  assert_int_equal(strategy->player, PLAYER_CAT);
  assert_int_equal(proof_check(arena, &proof, &complaint), 0);
  struct proof_state *last = &strategy->states[strategy->states_count - 1], kept = *last;
  strategy->states_count--;
  assert_int_equal(proof_check(arena, &proof, &complaint), -EINVAL);
  assert_non_null(strstr(complaint.text, "the strategy does not know the state"));
  strategy->states_count++;
  last->move = 5;
  assert_int_equal(proof_check(arena, &proof, &complaint), -EINVAL);
  char expected[200];
  snprintf(expected, sizeof expected, "state %u,%u,%s of the cat's strategy", kept.state.mouse,
           kept.state.cat, kept.state.turn == PLAYER_MOUSE ? "mouse" : "cat");
  assert_non_null(strstr(complaint.text, expected));
  *last = kept;
  proof.claim.plies--;
  assert_int_equal(proof_check(arena, &proof, &complaint), -EINVAL);
  assert_string_equal(complaint.text,
                      "state 3,1,mouse of the cat's strategy: more plies than are claimed");
  proof_deinit(&proof);
  table_free(table);
  arena_free(arena);
}

/* As many states as the proof has are enough, one fewer is not. Frees the arena. */
static void check_limit(struct arena *arena, struct state state, uint32_t strategies)
{
  struct table *table;
  struct proof proof;
  assert_int_equal(solve(arena, NULL, &table), 0);
  assert_int_equal(explain(arena, table, &state, LIMIT_NONE, STATES_MAX, &proof), 0);
  assert_int_equal(proof.strategies_count, strategies);
  uint32_t count = (uint32_t)proof_states(&proof);
  proof_deinit(&proof);
  assert_int_equal(explain(arena, table, &state, LIMIT_NONE, count - 1, &proof), -EFBIG);
  assert_int_equal(explain(arena, table, &state, LIMIT_NONE, count, &proof), 0);
  assert_int_equal(proof_states(&proof), count);
  proof_deinit(&proof);
  table_free(table);
  arena_free(arena);
}

static void test_large_proofs_are_refused(void **unused)
{
  (void)unused;
  check_limit(path(20), (struct state){10, 1, PLAYER_MOUSE}, 1);
  check_limit(drawn(), (struct state){1, 2, PLAYER_MOUSE}, 2);
}

/* Each allocation fails in turn: nothing is left behind, until one day all goes well. */
static void test_memory_runs_out(void **unused)
{
  (void)unused;
  struct arena *arena = path(20);
  struct table *table;
  struct state state = {10, 1, PLAYER_MOUSE};
  int status = -ENOMEM;
  assert_int_equal(solve(arena, NULL, &table), 0);
  for (long nth = 0; status == -ENOMEM; nth++) {
    struct proof proof;
    struct complaint complaint;
    failing_alloc_arm(nth);
    status = explain(arena, table, &state, LIMIT_NONE, STATES_MAX, &proof);
    bool explained = status == 0;
    if (explained)
      status = proof_check(arena, &proof, &complaint);
    bool failed = failing_alloc_disarm();
    assert_int_equal(status, failed ? -ENOMEM : 0);
    if (explained)
      proof_deinit(&proof);
  }
  table_free(table);
  arena_free(arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_graphs),
      cmocka_unit_test(test_grids),
      cmocka_unit_test(test_arenas),
      cmocka_unit_test(test_the_first_failing_state_is_named),
      cmocka_unit_test(test_large_proofs_are_refused),
      cmocka_unit_test(test_memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
