/* The parts of the bench of the store: alone.c, variants.c and served.c. */
#ifndef CATMOUSE_BENCH_STORE_MEASURES_H
#define CATMOUSE_BENCH_STORE_MEASURES_H

#include "bench/store/figures.h"
#include "solver/id.h"

/* Fills a store in `folder`, and measures it alone, in this process. `ids`: of two puzzles in it. */
void measure_alone(const struct plan *plan, const char *folder, struct id ids[2]);

/* Other schemas, in SQLite alone. */
void measure_variants(const struct plan *plan);

/* Streams of new puzzles, and single ones, through the daemon with a store and without. */
void measure_solving(const struct plan *plan);

/* The daemon's start with that store: how soon it answers, and the memory that it takes. */
void measure_start(const struct plan *plan, const char *folder, const struct id ids[2]);

#endif
