/* The small table of README.md, in Markdown. */
#ifndef CATMOUSE_BENCH_SOLVER_SUMMARY_H
#define CATMOUSE_BENCH_SOLVER_SUMMARY_H

#include "bench/solver/row.h"

/*
 * Measures a few families at a few sizes, with the widest vectors of this machine and with AVX2 where
 * that is less, and prints what they take. One thread, processor time.
 */
void summary_print(const struct bench_options *options);

#endif
