/* Moving table cells: spreading a word of bits over cells, and transposing blocks of cells. */
#ifndef CATMOUSE_SOLVER_CELLS_H
#define CATMOUSE_SOLVER_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX512BW__
#include <immintrin.h>
#endif

/* A matrix of cells, its rows possibly in an order of their own. */
struct cells {
  uint8_t *base;
  size_t stride_bytes;
  const uint32_t *row_at; /* NULL: row i is the ith */
  uint32_t width;         /* bytes a cell */
};

static inline uint8_t *cells_at(const struct cells *cells, uint32_t row, uint32_t column)
{
  return cells->base + (cells->row_at ? cells->row_at[row] : row) * cells->stride_bytes +
         (size_t)column * cells->width;
}

static inline uint32_t least(uint32_t one, uint32_t other)
{
  return one < other ? one : other;
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
 * Writes `value` into those of 64 cells whose bit is set. The others are not touched, nor need they
 * exist. Without masked stores a word of cells is written at a time, up to the last.
 */
#ifdef __AVX512BW__

static inline void cells_spread(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
{
  switch (width) {
  case 1: _mm512_mask_storeu_epi8(cells, bits, _mm512_set1_epi8((char)value)); break;
  case 2:
    _mm512_mask_storeu_epi16(cells, (__mmask32)bits, _mm512_set1_epi16((short)value));
    _mm512_mask_storeu_epi16(cells + 64, (__mmask32)(bits >> 32), _mm512_set1_epi16((short)value));
    break;
  default:
    for (unsigned part = 0; part < 4; part++)
      _mm512_mask_storeu_epi32(cells + 64 * part, (__mmask16)(bits >> 16 * part),
                               _mm512_set1_epi32((int)value));
  }
}

#else

/* As many cells as a word holds: all bits of those whose bit is set. */
static inline uint64_t cells_mask(uint32_t width, uint64_t bits)
{
  uint64_t apart = (bits & 0xff) * 0x0101010101010101 & 0x8040201008040201;
  if (width == 1)
    return ((apart + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101) * 0xff;
  apart = (bits & 0xf) * 0x0001000100010001 & 0x0008000400020001;
  return ((apart + 0x7fff7fff7fff7fff) >> 15 & 0x0001000100010001) * 0xffff;
}

static inline void cells_set_each(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
{
  for (; bits; bits &= bits - 1)
    cell_set(cells + (size_t)__builtin_ctzll(bits) * width, width, value);
}

static inline void cells_spread(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
{
  const uint64_t values = value * (width == 1 ? 0x0101010101010101 : 0x0001000100010001);
  const bool in_words = width < sizeof value && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  const unsigned step = in_words ? sizeof values / width : 64;
  for (; bits >> (step - 1) >> 1; bits >>= step, cells += sizeof values) {
    uint64_t mask = cells_mask(width, bits), word;
    memcpy(&word, cells, sizeof word);
    word = (word & ~mask) | (values & mask);
    memcpy(cells, &word, sizeof word);
  }
  cells_set_each(cells, width, bits, value);
}

#endif

/*
 * Copies cells of `from`, of rows row to row_end - 1 and columns column to column_end - 1, transposed
 * into `to`. Time O(cells), in blocks of 16-byte vectors.
 */
void cells_transpose(const struct cells *from, const struct cells *to, uint32_t row,
                     uint32_t row_end, uint32_t column, uint32_t column_end);

/* The same of a square of 64 bytes by as many rows, or what there is of it: so many rows and columns. */
void cells_transpose_square(const struct cells *from, const struct cells *to, uint32_t row,
                            uint32_t rows, uint32_t column, uint32_t columns);

/* The same past the caches, of at most LINE_BITS rows; `staging` has cells_stream_bytes(). */
size_t cells_stream_bytes(uint32_t width);
void cells_stream(const struct cells *from, const struct cells *to, uint32_t row, uint32_t row_end,
                  uint32_t column, uint32_t column_end, uint8_t *staging);

#endif
