/* Putting what is logged of a tile into cells. Private to the engine. */
#ifndef CATMOUSE_SOLVER_ENGINE_LOG_CELLS_H
#define CATMOUSE_SOLVER_ENGINE_LOG_CELLS_H

#include "solver/engine/attractor.h"
#include "solver/engine/cells.h"

/* A log, and what of its tile counts. */
struct logged {
  const struct tile_log *log;
  enum player winner;
  uint32_t row, row_end; /* the winner's places */
  uint32_t bit, bit_end; /* the loser's; `bit` is the first of a word */
};

/*
 * Writes what both players' logs say of the same states: `along` has its winner's places as `to` has rows, `across` as
 * `to` has columns. The cells of a word exist all, or as far as `columns` goes. `swapped` is memory for the part of
 * `across`, in rows of cells_padded_row(); zero before and after.
 */
void logs_write(const struct logged *along, const struct logged *across, const struct cells *to,
                uint32_t columns, bool is_clear, uint8_t *swapped);

#endif
