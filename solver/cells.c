/*
 * Transposing k x k cells in vectors of k: interleaving row i with row i + k/2, log2(k) times over,
 * moves every cell to its place (a perfect shuffle of the index digits). The ragged rim goes cell by
 * cell.
 */
#include "solver/level.h"

#include "solver/cells.h"

enum { VECTOR_BYTES = 16, SQUARE_BYTES = 64, SQUARE_CELLS_MAX = 64 };

typedef uint8_t vector8 __attribute__((vector_size(16)));
typedef uint16_t vector16 __attribute__((vector_size(16)));
typedef uint32_t vector32 __attribute__((vector_size(16)));

static inline void interleave8(vector8 low, vector8 high, vector8 *to)
{
  to[0] =
      __builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  to[1] = __builtin_shufflevector(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30,
                                  15, 31);
}

static inline void interleave16(vector16 low, vector16 high, vector16 *to)
{
  to[0] = __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
  to[1] = __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
}

static inline void interleave32(vector32 low, vector32 high, vector32 *to)
{
  to[0] = __builtin_shufflevector(low, high, 0, 4, 1, 5);
  to[1] = __builtin_shufflevector(low, high, 2, 6, 3, 7);
}

/* Rows of both matrices, found once for a square of blocks. */
struct square {
  const uint8_t *from[SQUARE_CELLS_MAX];
  uint8_t *to[SQUARE_CELLS_MAX];
};

#define DEFINE_BLOCK(width, lanes, stages)                                                    \
  static inline void transpose_block##width(const struct square *square, uint32_t row,        \
                                            uint32_t column)                                  \
  {                                                                                           \
    vector##width vectors[2][lanes];                                                          \
    for (uint32_t at = 0; at < (lanes); at++)                                                 \
      memcpy(&vectors[0][at], square->from[row + at] + column * ((width) / 8), VECTOR_BYTES); \
    for (unsigned stage = 0; stage < (stages); stage++)                                       \
      for (uint32_t at = 0; at < (lanes) / 2; at++)                                           \
        interleave##width(vectors[stage % 2][at], vectors[stage % 2][at + (lanes) / 2],       \
                          &vectors[(stage + 1) % 2][2 * at]);                                 \
    for (uint32_t at = 0; at < (lanes); at++)                                                 \
      memcpy(square->to[column + at] + row * ((width) / 8), &vectors[(stages) % 2][at],       \
             VECTOR_BYTES);                                                                   \
  }

DEFINE_BLOCK(8, 16, 4)
DEFINE_BLOCK(16, 8, 3)
DEFINE_BLOCK(32, 4, 2)

static void transpose_rim(const struct square *square, uint32_t width, uint32_t row,
                          uint32_t row_end, uint32_t column, uint32_t column_end)
{
  for (uint32_t y = row; y < row_end; y++)
    for (uint32_t x = column; x < column_end; x++)
      memcpy(square->to[x] + (size_t)y * width, square->from[y] + (size_t)x * width, width);
}

static void transpose_block(const struct square *square, uint32_t width, uint32_t row,
                            uint32_t column)
{
  switch (width) {
  case 1: transpose_block8(square, row, column); break;
  case 2: transpose_block16(square, row, column); break;
  default: transpose_block32(square, row, column);
  }
}

static uint32_t least(uint32_t one, uint32_t other)
{
  return one < other ? one : other;
}

static void transpose_square(const struct square *square, uint32_t width, uint32_t rows,
                             uint32_t columns)
{
  uint32_t lanes = VECTOR_BYTES / width;
  for (uint32_t row = 0; row < rows; row += lanes)
    for (uint32_t column = 0; column < columns; column += lanes)
      if (row + lanes <= rows && column + lanes <= columns)
        transpose_block(square, width, row, column);
      else
        transpose_rim(square, width, row, least(row + lanes, rows), column,
                      least(column + lanes, columns));
}

/* Squares of 64 bytes by as many rows stay in the nearest cache. */
void cells_transpose(const struct cells *from, const struct cells *to, uint32_t row,
                     uint32_t row_end, uint32_t column, uint32_t column_end)
{
  uint32_t side = SQUARE_BYTES / from->width;
  for (; row < row_end; row += side)
    for (uint32_t left = column; left < column_end; left += side) {
      uint32_t rows = least(side, row_end - row), columns = least(side, column_end - left);
      struct square square;
      for (uint32_t at = 0; at < rows; at++)
        square.from[at] = cells_at(from, row + at, left);
      for (uint32_t at = 0; at < columns; at++)
        square.to[at] = cells_at(to, left + at, row);
      transpose_square(&square, from->width, rows, columns);
    }
}
