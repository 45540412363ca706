/*
 * Storing past the caches: what is written once and not read soon need not be read from memory to
 * be overwritten, but only whole cache lines are written so. Private to the engine.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_STREAMING_STORE_H
#define CATMOUSE_SOLVER_ENGINE_STREAMING_STORE_H

#include "solver/engine/bit_line.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

static inline void streaming_store_line(uint8_t *to, const uint8_t *from)
{
#if defined(__AVX512F__)
  _mm512_stream_si512((void *)to, _mm512_loadu_si512(from));
#elif defined(__SSE2__)
  for (unsigned at = 0; at < LINE_BYTES; at += sizeof(__m128i))
    _mm_stream_si128((__m128i *)(void *)(to + at),
                     _mm_loadu_si128((const __m128i *)(const void *)(from + at)));
#else
  memcpy(to, from, LINE_BYTES);
#endif
}

/* What was stored so is seen by other threads before what is stored from now on. */
static inline void streaming_store_end(void)
{
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/* Copies all but an incomplete line at the end. How many bytes that are. */
static inline size_t streaming_copy_lines(uint8_t *to, const uint8_t *from, size_t bytes)
{
  size_t at = -(uintptr_t)to % LINE_BYTES;
  at = at < bytes ? at : bytes;
  memcpy(to, from, at);
  for (; bytes - at >= LINE_BYTES; at += LINE_BYTES)
    streaming_store_line(to + at, from + at);
  return at;
}

#endif
