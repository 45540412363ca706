/* Rounds of all contestants, one after another on the same puzzle. */
#ifndef CATMOUSE_BENCH_SOLVER_CONTEST_H
#define CATMOUSE_BENCH_SOLVER_CONTEST_H

#include "bench/solver/row.h"

/* Fills in the times, and what the table is like. */
void contest_measure(struct row *row, const struct bench_options *options);

#endif
