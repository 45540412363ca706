/* What the bench of the store measures, and how it prints a figure. */
#ifndef CATMOUSE_BENCH_STORE_FIGURES_H
#define CATMOUSE_BENCH_STORE_FIGURES_H

#include <jansson.h>
#include <stdint.h>

#include "solver/id.h"

enum { NODES = 20, ROUNDS_MAX = 100, STREAM = 20000 };

struct plan {
  const char *daemon;
  const char *folder; /* of this run alone */
  unsigned rounds;
  unsigned puzzles; /* in a full store */
  uint64_t seed;
  json_t *rows;
};

/* Prints one figure, and keeps it for --json. */
void figure(const struct plan *plan, const char *what, double value, const char *unit);

/* Megabytes of memory that a process has now. */
double resident_mb(int pid);

/* Fills a store in `folder`, and measures it alone, in this process. `ids`: of two puzzles in it. */
void measure_alone(const struct plan *plan, const char *folder, struct id ids[2]);

/* Other schemas, in SQLite alone. */
void measure_variants(const struct plan *plan);

/* Streams of new puzzles, and single ones, through the daemon with a store and without. */
void measure_solving(const struct plan *plan);

/* The daemon's start with that store: how soon it answers, and the memory that it takes. */
void measure_start(const struct plan *plan, const char *folder, const struct id ids[2]);

#endif
