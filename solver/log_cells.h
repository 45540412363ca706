/* Putting what is logged of a tile into cells. Private to the engine. */
#ifndef CATMOUSE_SOLVER_LOG_CELLS_H
#define CATMOUSE_SOLVER_LOG_CELLS_H

#include "solver/attractor.h"
#include "solver/cells.h"

/* A log in an attractor's tiles, and what of it counts. */
struct logged {
  const struct log *log;
  enum player winner;
  uint32_t row, row_end; /* the winner's places */
  uint32_t bit;          /* the loser's place that is the tile's first bit */
  unsigned words;        /* those of the tile's 8 that count, as bits, next to each other */
};

/* `to` has the winner's places as rows, the loser's as columns, `end` of them and at least whole words' worth before. */
void log_spread(const struct logged *logged, const struct cells *to, uint32_t end);

/* The same cell by cell, with the winner's places as columns. Faster where little is logged. */
void log_scatter(const struct logged *logged, const struct cells *to);

#endif
