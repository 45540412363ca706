/*
 * A table larger than the caches is written once and not read soon. Whole cache lines are stored past the
 * caches, so that memory is not first read to be overwritten; and since a transposed row comes in pieces of
 * 16 bytes, rows are put together beforehand where they stay at hand. What is transposed has rows in an order
 * of its own, which no processor foresees: it is told a step ahead.
 */
#include "solver/level.h"

#include "solver/bit_line.h"
#include "solver/cells.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { STAGED_ROWS = 64 };

#ifdef __SSE2__

static void stream_line(uint8_t *to, const uint8_t *from)
{
#ifdef __AVX512F__
  _mm512_stream_si512((void *)to, _mm512_loadu_si512(from));
#else
  for (unsigned at = 0; at < LINE_BYTES; at += sizeof(__m128i))
    _mm_stream_si128((__m128i *)(void *)(to + at),
                     _mm_loadu_si128((const __m128i *)(const void *)(from + at)));
#endif
}

static void stream_end(void)
{
  _mm_sfence();
}

#else

static void stream_line(uint8_t *to, const uint8_t *from)
{
  memcpy(to, from, LINE_BYTES);
}

static void stream_end(void)
{
}

#endif

static void stream_bytes(uint8_t *to, const uint8_t *from, size_t bytes)
{
  size_t at = -(uintptr_t)to % LINE_BYTES;
  at = at < bytes ? at : bytes;
  memcpy(to, from, at);
  for (; bytes - at >= LINE_BYTES; at += LINE_BYTES)
    stream_line(to + at, from + at);
  memcpy(to + at, from + at, bytes - at);
}

static size_t staged_row(uint32_t width)
{
  return (size_t)LINE_BITS * width + LINE_BYTES;
}

size_t cells_stream_bytes(uint32_t width)
{
  return STAGED_ROWS * staged_row(width);
}

/* Transposes so many columns into `staged`, a row of it for each. */
static void stage(const struct cells *from, const struct cells *staged, uint32_t row,
                  uint32_t row_end, uint32_t column, uint32_t column_end)
{
  uint32_t side = LINE_BYTES / from->width;
  for (uint32_t top = row; top < row_end; top += side) {
    for (uint32_t left = column; left < column_end; left += side) {
      for (uint32_t ahead = top + side; ahead < least(top + 2 * side, row_end); ahead++)
        __builtin_prefetch(cells_at(from, ahead, left));
      cells_transpose_square(from, staged, top, least(side, row_end - top), left,
                             least(side, column_end - left));
    }
  }
}

void cells_stream(const struct cells *from, const struct cells *to, uint32_t row, uint32_t row_end,
                  uint32_t column, uint32_t column_end, uint8_t *staging)
{
  size_t bytes = (size_t)(row_end - row) * from->width;
  for (uint32_t end; column < column_end; column = end) {
    end = least(column + STAGED_ROWS, column_end);
    struct cells staged = {.stride_bytes = staged_row(from->width), .width = from->width};
    staged.base = staging - (column * staged.stride_bytes + (size_t)row * from->width);
    stage(from, &staged, row, row_end, column, end);
    for (uint32_t at = column; at < end; at++)
      stream_bytes(cells_at(to, at, row), cells_at(&staged, at, row), bytes);
  }
  stream_end();
}
