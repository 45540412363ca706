/*
 * Spreading a word of bits over cells: `value` goes into those of 64 cells whose bit is set.
 * Private to the engine.
 *
 * Masked stores do that alone. Without them the cells are read, mixed and written back, a vector or
 * a word of them at a time: all 64 must exist.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_CELLS_SPREAD_H
#define CATMOUSE_SOLVER_ENGINE_CELLS_SPREAD_H

#include "solver/engine/cells.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

static inline void cells_set_each(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
{
  for (; bits; bits &= bits - 1)
    cell_set(cells + (size_t)__builtin_ctzll(bits) * width, width, value);
}

#if defined(__AVX512BW__)

static inline void spread_masked(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
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

#elif defined(__AVX2__)

/* All bits of the cells whose bit is set, of the first 32 bytes of cells. */
static inline __m256i vector_mask(uint32_t width, uint64_t bits)
{
  const __m256i bytes =
      _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bit_of_byte = _mm256_set1_epi64x((long long)0x8040201008040201);
  const __m256i bit_of_half = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048,
                                                4096, 8192, 16384, -32768);
  const __m256i bit_of_word = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  __m256i spread;
  switch (width) {
  case 1:
    spread =
        _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), bytes), bit_of_byte);
    return _mm256_cmpeq_epi8(spread, bit_of_byte);
  case 2:
    spread = _mm256_and_si256(_mm256_set1_epi16((short)bits), bit_of_half);
    return _mm256_cmpeq_epi16(spread, bit_of_half);
  default:
    spread = _mm256_and_si256(_mm256_set1_epi32((int)bits), bit_of_word);
    return _mm256_cmpeq_epi32(spread, bit_of_word);
  }
}

static inline __m256i vector_of(uint32_t width, uint32_t value)
{
  switch (width) {
  case 1: return _mm256_set1_epi8((char)value);
  case 2: return _mm256_set1_epi16((short)value);
  default: return _mm256_set1_epi32((int)value);
  }
}

static inline void spread_vectors(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
{
  const __m256i values = vector_of(width, value);
  for (unsigned part = 0; part < 2 * width; part++, bits >>= sizeof values / width) {
    __m256i *at = (void *)(cells + part * sizeof values);
    __m256i mixed = _mm256_blendv_epi8(_mm256_loadu_si256(at), values, vector_mask(width, bits));
    _mm256_storeu_si256(at, mixed);
  }
}

#else

/* As many cells as a word holds: all bits of those whose bit is set. */
static inline uint64_t word_mask(uint32_t width, uint64_t bits)
{
  uint64_t apart = (bits & 0xff) * 0x0101010101010101 & 0x8040201008040201;
  if (width == 1)
    return ((apart + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101) * 0xff;
  apart = (bits & 0xf) * 0x0001000100010001 & 0x0008000400020001;
  return ((apart + 0x7fff7fff7fff7fff) >> 15 & 0x0001000100010001) * 0xffff;
}

static inline void spread_words(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
{
  const uint64_t values = (uint64_t)value * (width == 1 ? 0x0101010101010101 : 0x0001000100010001);
  if (width == sizeof value || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
    cells_set_each(cells, width, bits, value);
    return;
  }
  for (; bits; bits >>= sizeof values / width, cells += sizeof values) {
    uint64_t mask = word_mask(width, bits), word;
    memcpy(&word, cells, sizeof word);
    word = (word & ~mask) | (values & mask);
    memcpy(cells, &word, sizeof word);
  }
}

#endif

static inline void cells_spread(uint8_t *cells, uint32_t width, uint64_t bits, uint32_t value)
{
#if defined(__AVX512BW__)
  spread_masked(cells, width, bits, value);
#elif defined(__AVX2__)
  spread_vectors(cells, width, bits, value);
#else
  spread_words(cells, width, bits, value);
#endif
}

#endif
