/* What runs on a row's puzzle: ours with one thread and with several, the physical limit, the textbook. */
#ifndef CATMOUSE_BENCH_SOLVER_CONTESTANTS_H
#define CATMOUSE_BENCH_SOLVER_CONTESTANTS_H

#include "bench/solver/row.h"
#include "bench/solver/textbook.h"
#include "solver/arena.h"
#include "solver/solve.h"

struct time {
  double wall, cpu; /* nanoseconds */
};

struct contest {
  struct row *row;
  const struct bench_options *options;
  struct arena *arena;
  struct table *ours;     /* of the last one-thread run */
  struct table *threaded; /* of the last run with several */
  struct textbook textbook;
};

/* The arena of a row's puzzle, owned by the caller. Ends the bench where it is refused. */
struct arena *contest_arena(const struct row *row, const struct bench_options *options);

/* solve(), as the bench's options force it. */
int contest_solve(const struct arena *arena, const struct bench_options *bench,
                  const struct solve_options *options, struct table **table);

/* The mean time of a contestant's runs; what the last one made stays in the contest. Ours goes first. */
struct time contestant_run(struct contest *contest, enum contestant contestant);

/* Frees what the runs have left. */
void contestants_deinit(struct contest *contest);

#endif
