/* Putting what is logged of a tile into cells. Private to the engine. */
#ifndef CATMOUSE_SOLVER_LOG_CELLS_H
#define CATMOUSE_SOLVER_LOG_CELLS_H

#include "solver/attractor.h"
#include "solver/cells.h"

/* A log, and what of its tile counts. */
struct logged {
  const struct log *log;
  enum player winner;
  uint32_t row, row_end; /* the winner's places */
  uint32_t bit, bit_end; /* the loser's; `bit` is the first of a word */
};

/*
 * `to` has the winner's places as rows, the loser's as columns; those of a word exist all, or as far as `columns`
 * goes.
 */
void log_spread(const struct logged *logged, const struct cells *to, uint32_t columns);

/* The same cell by cell, with the winner's places as columns. Faster where little is logged. */
void log_scatter(const struct logged *logged, const struct cells *to);

#endif
