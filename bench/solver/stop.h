/* How long a solve goes on after it was told to stop. */
#ifndef CATMOUSE_BENCH_SOLVER_STOP_H
#define CATMOUSE_BENCH_SOLVER_STOP_H

#include "bench/solver/row.h"

/*
 * Fills in stop_ms: the longest of solves that were stopped at evenly spaced moments, with one thread
 * and with several. Needs ours_ms.
 */
void stop_measure(struct row *row, const struct bench_options *options);

#endif
