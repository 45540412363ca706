/*
 * Rows of a table seldom begin with a cache line, and lines stored in part would be read from
 * memory first. So the line before each row of a tile is for what the tile before has left over.
 */
#include "solver/engine/level.h"

#include "solver/engine/cells_tile.h"

#include "solver/engine/streaming_store.h"

static size_t row_bytes(uint32_t width)
{
  return LINE_BYTES + (size_t)LINE_BITS * width;
}

size_t cells_tile_bytes(uint32_t rows, uint32_t width)
{
  return rows * row_bytes(width);
}

struct cells cells_tile(uint8_t *memory, uint32_t row, uint32_t column, uint32_t width)
{
  return (struct cells){memory + LINE_BYTES, row_bytes(width), NULL, width, row, column};
}

static void store_row(uint8_t *from, uint8_t *to, size_t bytes, bool first, bool last)
{
  size_t kept = first ? 0 : (uintptr_t)to % LINE_BYTES;
  size_t left = kept + bytes - streaming_copy_lines(to - kept, from - kept, kept + bytes);
  memcpy(last ? to + bytes - left : from - left, from + bytes - left, left);
}

void cells_tile_store(const struct cells *tile, const struct cells *to, uint32_t row,
                      uint32_t row_end, uint32_t column, uint32_t columns)
{
  uint32_t end = least(column + LINE_BITS, columns);
  for (; row < row_end; row++)
    store_row(cells_at(tile, row, column), cells_at(to, row, column),
              (size_t)(end - column) * to->width, column == 0, end == columns);
  streaming_store_end();
}
