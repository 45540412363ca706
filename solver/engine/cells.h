/* A matrix of table cells, and transposing it. */
#ifndef CATMOUSE_SOLVER_ENGINE_CELLS_H
#define CATMOUSE_SOLVER_ENGINE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "solver/engine/bit_line.h"

/* A matrix of cells, its rows possibly in an order of their own. */
struct cells {
  uint8_t *base; /* the cell of the first row and column */
  size_t stride_bytes;
  const uint32_t *row_at; /* where each row lies; NULL: in order */
  uint32_t width;         /* bytes a cell */
  uint32_t first_row, first_column;
};

static inline uint8_t *cells_at(const struct cells *cells, uint32_t row, uint32_t column)
{
  size_t at = (cells->row_at ? cells->row_at[row] : row) - cells->first_row;
  return cells->base + at * cells->stride_bytes +
         (size_t)(column - cells->first_column) * cells->width;
}

/* A cache line longer than so many cells, lest all rows fall into the same few cache sets. */
static inline size_t cells_padded_row(uint32_t cells, uint32_t width)
{
  return (size_t)(cells + 63) / 64 * 64 * width + LINE_BYTES;
}

static inline void cell_set(uint8_t *cell, uint32_t width, uint32_t value)
{
  uint16_t half = (uint16_t)value;
  switch (width) {
  case 1: *cell = (uint8_t)value; break;
  case 2: memcpy(cell, &half, sizeof half); break;
  default: memcpy(cell, &value, sizeof value);
  }
}

/*
 * Copies cells of `from`, of rows row to row_end - 1 and columns column to column_end - 1,
 * transposed into `to`. Time O(cells), in blocks of 16-byte vectors.
 */
void cells_transpose(const struct cells *from, const struct cells *to, uint32_t row,
                     uint32_t row_end, uint32_t column, uint32_t column_end);

#endif
