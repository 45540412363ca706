/* The peak of memory while solving. */
#ifndef CATMOUSE_BENCH_SOLVER_MEMORY_H
#define CATMOUSE_BENCH_SOLVER_MEMORY_H

#include <stddef.h>

#include "bench/solver/row.h"

/* Solves once with one thread and fills in peak_bytes. To be called in a process without other threads. */
void memory_measure(struct row *row, const struct bench_options *options);

/*
 * Writes to so many bytes of fresh memory and gives them back. A hypervisor takes back what has been
 * free for a while, and whoever touches it next waits for it: no contestant's fault.
 */
void memory_warm(size_t bytes);

#endif
