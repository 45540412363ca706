/* How many small puzzles a second one thread solves, all set-up included. */
#ifndef CATMOUSE_BENCH_SOLVER_STREAM_H
#define CATMOUSE_BENCH_SOLVER_STREAM_H

#include <stdint.h>

#include "bench/solver/row.h"

struct stream {
  uint32_t nodes;
  double solves_a_second; /* the median of the rounds */
};

/* Different random graphs of average degree 4, each made into arena, id and table. */
void stream_measure(struct stream *stream, uint32_t nodes, const struct bench_options *options);

#endif
