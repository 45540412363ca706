/*
 * The load generator: clients that each send `depth` requests at once, wait for all their answers, and
 * go on. The same for every server; every byte of every answer is checked.
 */
#ifndef CATMOUSE_BENCH_DAEMON_LOAD_H
#define CATMOUSE_BENCH_DAEMON_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/daemon/script.h"
#include "bench/daemon/server.h"

struct load {
  unsigned connections;
  unsigned depth; /* divides SCRIPT_EXCHANGES */
  double seconds; /* measured, after a fifth of it to warm up */
};

struct load_result {
  double requests_a_second;
  double p50_us, p99_us,
      max_us; /* from the send of a request's batch to the last byte of its answer */
};

void load_run(const struct server *server, const struct script *script, const struct load *load,
              struct load_result *result);

#endif
