/* Writes what the logs of a tile say into table cells. Private to the engine. */
#ifndef CATMOUSE_SOLVER_ENGINE_LOG_CELLS_H
#define CATMOUSE_SOLVER_ENGINE_LOG_CELLS_H

#include "solver/engine/attractor.h"
#include "solver/engine/cells.h"

/* A log, and the part of its tile that is to be written. */
struct logged {
  const struct tile_log *log;
  enum player winner;
  uint32_t row, row_end; /* the winner's places */
  uint32_t bit, bit_end; /* the loser's; `bit` is the first of a word */
};

/*
 * Writes a rectangle of cells from the logs of both winners, which name the same states. The rows
 * of `to` are the winner's places in `along`, its columns the winner's places in `across`. A log is
 * read in words of 64 columns, so each row has room for whole words. `swapped` is memory for the
 * part of `across`, in rows of cells_padded_row(); it is zero before and after.
 */
void logs_write(const struct logged *along, const struct logged *across, const struct cells *to,
                uint8_t *swapped);

#endif
