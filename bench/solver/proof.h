/* How long it takes to prove a finished table right. */
#ifndef CATMOUSE_BENCH_SOLVER_PROOF_H
#define CATMOUSE_BENCH_SOLVER_PROOF_H

#include "bench/solver/row.h"

/* Solves, then fills in verify_ms, by the median of some runs. A fault in the table ends the bench. */
void proof_measure(struct row *row, const struct bench_options *options);

#endif
