/*
 * A transposed row comes in pieces of 16 bytes: whole rows are put together where they stay at hand, and written at
 * once. What is transposed has rows in an order of its own, which no processor foresees: it is told a step ahead.
 */
#include "solver/level.h"

#include "solver/cells.h"
#include "solver/stream.h"

static void stream_bytes(uint8_t *to, const uint8_t *from, size_t bytes)
{
  size_t at = stream_lines(to, from, bytes);
  memcpy(to + at, from + at, bytes - at);
}

static void copy_bytes(uint8_t *to, const uint8_t *from, size_t bytes)
{
  memcpy(to, from, bytes);
}

static uint32_t side_of(uint32_t width)
{
  return LINE_BYTES / width;
}

/* A cache line longer than a row, lest they all fall into the same few cache sets. */
static size_t staged_row(uint32_t rows, uint32_t width)
{
  return ((size_t)rows * width / LINE_BYTES + 2) * LINE_BYTES;
}

size_t cells_rows_bytes(uint32_t rows, uint32_t width)
{
  return side_of(width) * staged_row(rows, width);
}

/* Transposes a cache line's worth of columns into `staged`, a row of it for each. */
static void stage(const struct cells *from, const struct cells *staged, uint32_t rows,
                  uint32_t column)
{
  uint32_t side = side_of(from->width);
  for (uint32_t top = 0; top < rows; top += side) {
    for (uint32_t ahead = top + side; ahead < least(top + 2 * side, rows); ahead++)
      __builtin_prefetch(cells_at(from, ahead, column));
    cells_transpose_square(from, staged, top, least(side, rows - top), column, side);
  }
}

void cells_transpose_rows(const struct cells *from, const struct cells *to, uint32_t rows,
                          uint32_t column, uint32_t column_end, uint8_t *staging, bool streamed)
{
  struct cells staged = {.stride_bytes = staged_row(rows, from->width), .width = from->width};
  for (uint32_t side = side_of(from->width); column < column_end; column += side) {
    staged.base = staging - column * staged.stride_bytes;
    stage(from, &staged, rows, column);
    for (uint32_t at = column; at < least(column + side, column_end); at++)
      (streamed ? stream_bytes : copy_bytes)(cells_at(to, at, 0), cells_at(&staged, at, 0),
                                             (size_t)rows * from->width);
  }
  if (streamed)
    stream_end();
}
