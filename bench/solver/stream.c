/* The puzzles are made beforehand; a round sends each of them through once. */
#include "bench/solver/stream.h"

#include <stdlib.h>

#include "bench/measure.h"
#include "bench/solver/contestants.h"
#include "solver/id.h"

enum { PUZZLES = 2000, ROUNDS_MAX = 100 };

static void solve_through(const struct puzzle *puzzle, const struct bench_options *options)
{
  struct arena *arena;
  struct table *table;
  struct complaint complaint = {.text = "out of memory"};
  struct solve_options one_thread = {.threads = 1};
  struct id id;
  if (arena_new(puzzle, &arena, &complaint) < 0)
    die("a puzzle of a stream: %s", complaint.text);
  arena_id(arena, &id);
  if (contest_solve(arena, options, &one_thread, &table) < 0)
    die("a puzzle of a stream cannot be solved");
  table_free(table);
  arena_free(arena);
}

void stream_measure(struct stream *stream, uint32_t nodes, const struct bench_options *options)
{
  struct specimen *specimens = need_memory(PUZZLES, sizeof *specimens);
  for (uint32_t i = 0; i < PUZZLES; i++)
    family_make(&families[0], nodes, options->seed + i, &specimens[i]);
  double rates[ROUNDS_MAX];
  uint32_t rounds = options->pairs < ROUNDS_MAX ? options->pairs : ROUNDS_MAX;
  for (uint32_t round = 0; round < rounds; round++) {
    uint64_t begin = options->cpu_time ? cpu_ns() : wall_ns();
    for (uint32_t i = 0; i < PUZZLES; i++)
      solve_through(&specimens[i].puzzle, options);
    uint64_t end = options->cpu_time ? cpu_ns() : wall_ns();
    rates[round] = PUZZLES * 1e9 / (double)(end - begin);
  }
  *stream = (struct stream){nodes, median(rates, rounds)};
  for (uint32_t i = 0; i < PUZZLES; i++)
    specimen_deinit(&specimens[i]);
  free(specimens);
}
