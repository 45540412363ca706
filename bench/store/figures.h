/* What the bench of the store measures, and how it prints a figure. */
#ifndef CATMOUSE_BENCH_STORE_FIGURES_H
#define CATMOUSE_BENCH_STORE_FIGURES_H

#include <jansson.h>
#include <stdint.h>

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

#endif
