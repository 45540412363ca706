/*
 * How large proofs are, how far from the smallest, and how long they take to make and to check.
 *
 * First every state of random graphs of 3 to 7 nodes, beside the smallest strategies, which a search finds. Then
 * each family of puzzles: its start, and the longest win of either player. At last whole commands.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/explain/commands.h"
#include "bench/explain/smallest.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "bench/solver/families.h"
#include "solver/answer.h"
#include "solver/explain.h"
#include "solver/proof_check.h"
#include "solver/solve.h"
#include "solver/stats.h"

enum { SMALL_NODES = 7, SMALL_GRAPHS = 200, STATES_MAX = 50000, TRIES_MAX = 100000, ROUNDS = 5 };

/* Of strategies of one goal. */
struct tally {
  uint64_t strategies, smallest, undone;
  uint64_t states, states_smallest;
  double worst;
};

static struct arena *arena_of(const struct puzzle *puzzle)
{
  struct arena *arena;
  struct complaint complaint;
  if (arena_new(puzzle, &arena, &complaint) < 0)
    die("no puzzle: %s", complaint.text);
  return arena;
}

static struct table *table_of(const struct arena *arena)
{
  struct table *table;
  if (solve(arena, NULL, &table) < 0)
    die("out of memory for a table");
  return table;
}

static void compare(const struct arena *arena, const struct table *table, const struct proof *proof,
                    struct tally tallies[2])
{
  for (uint32_t i = 0; i < proof->strategies_count; i++) {
    const struct strategy *strategy = &proof->strategies[i];
    struct tally *tally = &tallies[strategy->goal];
    uint32_t least = smallest_strategy(arena, table, strategy, &proof->claim.state, TRIES_MAX);
    if (least == 0) {
      tally->undone++;
      continue;
    }
    double ratio = (double)strategy->states_count / least;
    tally->strategies++;
    tally->smallest += strategy->states_count == least;
    tally->states += strategy->states_count;
    tally->states_smallest += least;
    tally->worst = ratio > tally->worst ? ratio : tally->worst;
  }
}

static void compare_all(const struct arena *arena, const struct table *table,
                        struct tally tallies[2])
{
  struct state state;
  struct complaint complaint;
  struct proof proof;
  for (state.turn = PLAYER_MOUSE; state.turn <= PLAYER_CAT; state.turn++)
    for (state.mouse = 0; state.mouse < arena->nodes; state.mouse++)
      for (state.cat = 0; state.cat < arena->nodes; state.cat++) {
        if (arena_check_state(arena, &state, &complaint) < 0)
          continue;
        if (explain(arena, table, &state, LIMIT_NONE, STATES_MAX, &proof) < 0)
          die("out of memory for a proof");
        compare(arena, table, &proof, tallies);
        proof_deinit(&proof);
      }
}

static void measure_smallest(void)
{
  static const char *const goals[] = {[GOAL_WIN] = "win", [GOAL_HOLD] = "hold"};
  static const char *const kinds[] = {"degree4", "dense", "grid", "tree", "chords"};
  struct tally tallies[2] = {0};
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    for (uint32_t i = 0; i < SMALL_GRAPHS; i++) {
      struct specimen specimen;
      family_make(family_named(kinds[kind]), 4 + i % (SMALL_NODES - 3), i + 1, &specimen);
      if (specimen.puzzle.graph.nodes < 3) { /* what is left of a grid full of walls */
        specimen_deinit(&specimen);
        continue;
      }
      struct arena *arena = arena_of(&specimen.puzzle);
      struct table *table = table_of(arena);
      if (arena->nodes <= SMALL_NODES)
        compare_all(arena, table, tallies);
      table_free(table);
      arena_free(arena);
      specimen_deinit(&specimen);
    }
  }
  printf("up to %d nodes   strategies   smallest   states beside the smallest   worst   search not "
         "done\n",
         SMALL_NODES);
  for (int goal = 0; goal < 2; goal++) {
    const struct tally *tally = &tallies[goal];
    printf("%-15s %11llu %9.2f%% %27.4f %7.2f %17llu\n", goals[goal],
           (unsigned long long)tally->strategies,
           100.0 * (double)tally->smallest / (double)tally->strategies,
           (double)tally->states / (double)tally->states_smallest, tally->worst,
           (unsigned long long)tally->undone);
  }
}

static void measure_state(const struct family *family, const struct arena *arena,
                          const struct table *table, const char *which, const struct state *state)
{
  struct answer_value value = answer_value(arena, table, state, LIMIT_NONE);
  struct proof proof = {0};
  struct complaint complaint;
  double explain_ms[ROUNDS], check_ms[ROUNDS];
  uint64_t states = 0;
  int status = 0;
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t begin = wall_ns();
    status = explain(arena, table, state, LIMIT_NONE, STATES_MAX, &proof);
    uint64_t made = wall_ns();
    if (status == 0 && proof_check(arena, &proof, &complaint) < 0)
      die("a proof fails: %s", complaint.text);
    explain_ms[round] = (double)(made - begin) / 1e6;
    check_ms[round] = (double)(wall_ns() - made) / 1e6;
    states = proof_states(&proof);
    if (status == 0)
      proof_deinit(&proof);
  }
  printf("%-12s %5u  %-12s ", family->name, arena->nodes, which);
  if (value.plies == PLIES_NONE)
    printf("%6s ", "-");
  else
    printf("%6u ", value.plies);
  if (status == 0)
    printf("%9llu ", (unsigned long long)states);
  else
    printf("%9s ", status == -EFBIG ? "too large" : "no memory");
  printf("%10.3f ", median(explain_ms, ROUNDS));
  if (status == 0)
    printf("%9.3f", median(check_ms, ROUNDS));
  puts("");
}

static void measure_family(const struct family *family, uint32_t nodes)
{
  static const char *const names[] = {"longest M", "longest C"};
  struct specimen specimen;
  struct table_stats stats;
  family_make(family, nodes, 1, &specimen);
  struct arena *arena = arena_of(&specimen.puzzle);
  struct table *table = table_of(arena);
  if (table_stats_init(&stats, arena, table, NULL) < 0)
    die("out of memory for statistics");
  measure_state(family, arena, table, "start", &arena->start);
  for (int winner = 0; winner < 2; winner++) {
    if (stats.longest[winner].plies != PLIES_NONE)
      measure_state(family, arena, table, names[winner], &stats.longest[winner].state);
  }
  table_stats_deinit(&stats);
  table_free(table);
  arena_free(arena);
  specimen_deinit(&specimen);
}

int main(int argc, char **argv)
{
  struct machine machine;
  if (argc > 2) {
    fputs("bench-explain [NODES]\n", stderr);
    return 2;
  }
  machine_describe(&machine);
  machine_print(&machine);
  puts("");
  measure_smallest();
  printf("\nfamily       nodes  state         plies    states explain ms  check ms\n");
  for (uint32_t i = 0; i < families_count; i++) {
    uint32_t nodes = argc == 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 50;
    if (families[i].nodes_fixed == 0)
      measure_family(&families[i], nodes);
  }
  measure_commands();
  return 0;
}
