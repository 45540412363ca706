/*
 * A line: 512 bits of a row, one cache line, the unit the engine computes in. Compiler vectors
 * carry the logic; what vectors cannot say portably (which words are set, packing them) is here,
 * with AVX-512 where there is any.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_BIT_LINE_H
#define CATMOUSE_SOLVER_ENGINE_BIT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { LINE_BITS = 512, LINE_WORDS = 8, LINE_BYTES = 64 };

typedef uint64_t bit_line __attribute__((vector_size(64)));

static inline uint32_t least(uint32_t one, uint32_t other)
{
  return one < other ? one : other;
}

static inline uint32_t lines_for(uint32_t bits)
{
  return (bits + LINE_BITS - 1) / LINE_BITS;
}

static inline bit_line line_load(const uint64_t *words)
{
  return *(const bit_line *)words;
}

static inline void line_store(uint64_t *words, bit_line value)
{
  *(bit_line *)words = value;
}

/* Which of the eight words are not 0, as eight bits. */
static inline unsigned line_presence(bit_line value)
{
#ifdef __AVX512F__
  return _mm512_test_epi64_mask((__m512i)value, (__m512i)value);
#elif defined(__AVX2__)
  const __m256i *halves = (const void *)&value, zero = {0};
  int low = _mm256_movemask_pd((__m256d)_mm256_cmpeq_epi64(halves[0], zero));
  int high = _mm256_movemask_pd((__m256d)_mm256_cmpeq_epi64(halves[1], zero));
  return ~(unsigned)(low | high << 4) & 0xff;
#else
  unsigned presence = 0;
  for (unsigned word = 0; word < LINE_WORDS; word++)
    presence |= (unsigned)(value[word] != 0) << word;
  return presence;
#endif
}

static inline bool line_any(bit_line value)
{
#ifdef __AVX512F__
  return line_presence(value) != 0;
#elif defined(__AVX2__)
  const __m256i *halves = (const void *)&value;
  __m256i any = halves[0] | halves[1];
  return !_mm256_testz_si256(any, any);
#else
  return (value[0] | value[1] | value[2] | value[3] | value[4] | value[5] | value[6] | value[7]) !=
         0;
#endif
}

/* All words or-ed into one. */
static inline uint64_t line_union(bit_line value)
{
#ifdef __AVX512F__
  return (uint64_t)_mm512_reduce_or_epi64((__m512i)value);
#else
  return value[0] | value[1] | value[2] | value[3] | value[4] | value[5] | value[6] | value[7];
#endif
}

static inline unsigned line_count(bit_line value)
{
  unsigned count = 0;
  for (unsigned word = 0; word < LINE_WORDS; word++)
    count += (unsigned)__builtin_popcountll(value[word]);
  return count;
}

/* Writes the present words one after the other; up to 64 bytes at `packed` may be overwritten. */
static inline void line_pack(bit_line value, unsigned presence, uint8_t *packed)
{
#ifdef __AVX512F__
  _mm512_storeu_si512(packed, _mm512_maskz_compress_epi64((__mmask8)presence, (__m512i)value));
#else
  for (; presence; presence &= presence - 1, packed += sizeof(uint64_t)) {
    uint64_t word = value[__builtin_ctz(presence)];
    memcpy(packed, &word, sizeof word);
  }
#endif
}

/* The inverse of line_pack(): absent words are 0. */
static inline bit_line line_unpack(const uint8_t *packed, unsigned presence)
{
#ifdef __AVX512F__
  return (bit_line)_mm512_maskz_expandloadu_epi64((__mmask8)presence, packed);
#else
  uint64_t words[LINE_WORDS] __attribute__((aligned(64))) = {0};
  for (; presence; presence &= presence - 1, packed += sizeof(uint64_t))
    memcpy(&words[__builtin_ctz(presence)], packed, sizeof(uint64_t));
  return line_load(words);
#endif
}

#endif
