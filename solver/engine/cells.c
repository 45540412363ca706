/*
 * Transposing k x k cells in rows of k: interleaving row i with row i + k/2, log2(k) times over,
 * moves every cell to its place (a perfect shuffle of the index digits). The processor's widest
 * vector holds a row each of one, two or four such blocks side by side, and these are done at once.
 * The ragged rim goes cell by cell.
 */
#include "solver/engine/level.h"

#include "solver/engine/cells.h"

/*
 * A lane of a vector is a row of one block. Wider vectors than the processor's would be kept in
 * memory.
 */
#if defined(__AVX512BW__)
#define LANES    4
#define IN_LANES IN_LANES4
#elif defined(__AVX2__)
#define LANES    2
#define IN_LANES IN_LANES2
#else
#define LANES    1
#define IN_LANES IN_LANES1
#endif

enum { LANE_BYTES = 16, VECTOR_BYTES = LANES * LANE_BYTES };

/* A square's rows are cache lines. So many squares are transposed one below the other. */
enum { ROW_BYTES = 64, SQUARE_CELLS_MAX = ROW_BYTES, SQUARES = 4 };

typedef uint8_t vector8 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint16_t vector16 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t vector32 __attribute__((vector_size(VECTOR_BYTES)));

/* Index lists that do in each lane what they say for the first; `n` is the cells of a lane. */
#define PAIR(at, n)             (at), (at) + LANES *(n)
#define PAIRS2(at, n)           PAIR(at, n), PAIR((at) + 1, n)
#define PAIRS4(at, n)           PAIRS2(at, n), PAIRS2((at) + 2, n)
#define PAIRS8(at, n)           PAIRS4(at, n), PAIRS4((at) + 4, n)
#define IN_LANES1(pairs, at, n) pairs(at, n)
#define IN_LANES2(pairs, at, n) IN_LANES1(pairs, at, n), IN_LANES1(pairs, (at) + (n), n)
#define IN_LANES4(pairs, at, n) IN_LANES2(pairs, at, n), IN_LANES2(pairs, (at) + 2 * (n), n)

static inline void interleave8(vector8 low, vector8 high, vector8 *to)
{
  to[0] = __builtin_shufflevector(low, high, IN_LANES(PAIRS8, 0, 16));
  to[1] = __builtin_shufflevector(low, high, IN_LANES(PAIRS8, 8, 16));
}

static inline void interleave16(vector16 low, vector16 high, vector16 *to)
{
  to[0] = __builtin_shufflevector(low, high, IN_LANES(PAIRS4, 0, 8));
  to[1] = __builtin_shufflevector(low, high, IN_LANES(PAIRS4, 4, 8));
}

static inline void interleave32(vector32 low, vector32 high, vector32 *to)
{
  to[0] = __builtin_shufflevector(low, high, IN_LANES(PAIRS2, 0, 4));
  to[1] = __builtin_shufflevector(low, high, IN_LANES(PAIRS2, 2, 4));
}

/* Rows of both matrices, found once for a square of blocks. */
struct square {
  const uint8_t *from[SQUARE_CELLS_MAX];
  uint8_t *to[SQUARE_CELLS_MAX];
};

/*
 * The blocks of `cells` rows from `row` on, in columns that make one vector, number `part` of the
 * row. Not in line, where compilers find the rows once and spill them to where they take longer to
 * fetch.
 */
#define DEFINE_BLOCKS(width, cells, stages)                                                  \
  static __attribute__((noinline)) void transpose_blocks##width(const struct square *square, \
                                                                uint32_t row, uint32_t part) \
  {                                                                                          \
    vector##width vectors[2][cells];                                                         \
    for (uint32_t at = 0; at < (cells); at++)                                                \
      memcpy(&vectors[0][at], square->from[row + at] + part * VECTOR_BYTES, VECTOR_BYTES);   \
    for (unsigned stage = 0; stage < (stages); stage++)                                      \
      for (uint32_t at = 0; at < (cells) / 2; at++)                                          \
        interleave##width(vectors[stage % 2][at], vectors[stage % 2][at + (cells) / 2],      \
                          &vectors[(stage + 1) % 2][2 * at]);                                \
    uint8_t *const *to = square->to + part * LANES * (cells);                                \
    for (uint32_t at = 0; at < (cells); at++)                                                \
      for (uint32_t lane = 0; lane < LANES; lane++)                                          \
        memcpy(to[lane * (cells) + at] + row * ((width) / 8),                                \
               (const uint8_t *)&vectors[(stages) % 2][at] + (size_t)lane * LANE_BYTES,      \
               LANE_BYTES);                                                                  \
  }

/*
 * Each stage writes all that the next one reads, and whole blocks have all their rows.
 * NOLINTBEGIN(clang-analyzer-core.CallAndMessage,clang-analyzer-core.UndefinedBinaryOperatorResult)
 */
DEFINE_BLOCKS(8, 16, 4)
DEFINE_BLOCKS(16, 8, 3)
DEFINE_BLOCKS(32, 4, 2)
/*
 * NOLINTEND(clang-analyzer-core.CallAndMessage,clang-analyzer-core.UndefinedBinaryOperatorResult)
 */

static void transpose_rim(const struct square *square, uint32_t width, uint32_t row,
                          uint32_t row_end, uint32_t column, uint32_t column_end)
{
  for (uint32_t y = row; y < row_end; y++)
    for (uint32_t x = column; x < column_end; x++)
      memcpy(square->to[x] + (size_t)y * width, square->from[y] + (size_t)x * width, width);
}

static void transpose_square(const struct square *square, uint32_t width, uint32_t rows,
                             uint32_t columns)
{
  uint32_t cells = LANE_BYTES / width, whole = columns == ROW_BYTES / width ? rows / cells : 0;
  for (uint32_t row = 0; row < whole * cells; row += cells)
    for (uint32_t part = 0; part < ROW_BYTES / VECTOR_BYTES; part++)
      switch (width) {
      case 1: transpose_blocks8(square, row, part); break;
      case 2: transpose_blocks16(square, row, part); break;
      default: transpose_blocks32(square, row, part);
      }
  transpose_rim(square, width, whole * cells, rows, 0, columns);
}

/* Rows of a large table are pages apart, where the processor itself foresees nothing. */
static void foresee(const struct cells *to, uint32_t row, uint32_t row_end, uint32_t column,
                    uint32_t column_end)
{
  uint32_t side = ROW_BYTES / to->width;
  uint32_t end = least(column + side, column_end);
  for (uint32_t at = column; at < end; at++)
    for (uint32_t first = row; first < row_end; first += side)
      __builtin_prefetch(cells_at(to, at, first), 1);
}

/* A square of 64 bytes by as many rows, or what there is of it: so many rows and columns. */
static void transpose_part(const struct cells *from, const struct cells *to, uint32_t row,
                           uint32_t rows, uint32_t column, uint32_t columns)
{
  struct square square;
  for (uint32_t at = 0; at < rows; at++)
    square.from[at] = cells_at(from, row + at, column);
  for (uint32_t at = 0; at < columns; at++)
    square.to[at] = cells_at(to, column + at, row);
  transpose_square(&square, from->width, rows, columns);
}

/*
 * Squares stay in the nearest cache. SQUARES of them write as many cache lines of each row while
 * its page is at hand.
 */
void cells_transpose(const struct cells *from, const struct cells *to, uint32_t row,
                     uint32_t row_end, uint32_t column, uint32_t column_end)
{
  uint32_t side = ROW_BYTES / from->width;
  for (; row < row_end; row += SQUARES * side) {
    uint32_t end = least(row + SQUARES * side, row_end);
    for (uint32_t left = column; left < column_end; left += side) {
      foresee(to, row, end, left + side, column_end);
      for (uint32_t top = row; top < end; top += side)
        transpose_part(from, to, top, least(side, end - top), left, least(side, column_end - left));
    }
  }
}
