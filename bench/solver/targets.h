/* The floors that a release must reach, and which a row misses. */
#ifndef CATMOUSE_BENCH_SOLVER_TARGETS_H
#define CATMOUSE_BENCH_SOLVER_TARGETS_H

#include <stddef.h>

#include "bench/solver/row.h"

enum { TARGETS_TEXT = 128 };

struct verdict_on_row {
  uint32_t set, missed;    /* targets that hold for this row, and those not reached */
  char text[TARGETS_TEXT]; /* "" where there are none, "ok", or the ones missed */
};

void targets_check(const struct row *row, struct verdict_on_row *verdict);

#endif
