/* Ours, the textbook, the physical limit and several threads, one after another on the same puzzle. */
#ifndef CATMOUSE_BENCH_SOLVER_CONTEST_H
#define CATMOUSE_BENCH_SOLVER_CONTEST_H

#include "bench/solver/row.h"
#include "solver/arena.h"
#include "solver/solve.h"

/* The arena of a row's puzzle, owned by the caller. Ends the bench where it is refused. */
struct arena *contest_arena(const struct row *row, const struct bench_options *options);

/* solve(), as the bench's options force it. */
int contest_solve(const struct arena *arena, const struct bench_options *bench,
                  const struct solve_options *options, struct table **table);

/* Fills in the times, and what the table is like. */
void contest_measure(struct row *row, const struct bench_options *options);

#endif
