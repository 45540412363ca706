/* What the bench runs under one load, and its rows. */
#ifndef CATMOUSE_BENCH_DAEMON_COMPARE_H
#define CATMOUSE_BENCH_DAEMON_COMPARE_H

#include <jansson.h>
#include <stdbool.h>

#include "bench/daemon/load.h"

enum { PAIRS_MAX = 100, LOADS_MAX = 16 };

struct plan {
  unsigned pairs;
  double seconds; /* of each run */
  const char *programs[SERVER_KINDS];
  const char *json;
  bool only_ours; /* for profiles: no peer */
  bool no_busy;
  struct load loads[LOADS_MAX];
  unsigned loads_count;
};

/* What must be reached: ours by redis, and our p99 while every core solves. */
static const double rate_floor = 1.0, p99_ceiling = 1.2, busy_p99_ceiling_us = 3000;

/* Both servers in turn; prints their rows and appends them. `ours` keeps our last run's script. */
void compare_under(const struct plan *plan, struct load load, struct script *ours, json_t *rows);

/* Ours alone, while every core solves. */
void compare_busy(const struct plan *plan, struct load load, json_t *rows);

#endif
