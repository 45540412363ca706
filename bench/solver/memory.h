/* The peak of memory while solving. */
#ifndef CATMOUSE_BENCH_SOLVER_MEMORY_H
#define CATMOUSE_BENCH_SOLVER_MEMORY_H

#include "bench/solver/row.h"

/* Solves once with one thread and fills in peak_bytes. To be called in a process without other threads. */
void memory_measure(struct row *row, const struct bench_options *options);

#endif
