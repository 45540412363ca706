/*
 * A tile is 8 x 8 squares of 64 x 64 bits. First the squares are transposed as a whole, by moving
 * words between lines, so that a line holds the same word of eight row groups; then eight squares
 * at once from within, one in each word of 64 lines: first bytes, then bits. Each goes eight lines
 * at a time, which a processor can hold in registers.
 *
 * Lines 4 kB apart have the same place in the nearest cache. Eight of them are read together, and
 * eight more would be written there: in between, each 64 lines are kept one line further apart.
 *
 * Time: 3 passes over 32 kB.
 * Source: Warren, Hacker's Delight, 7-3; the interleaving is a perfect shuffle, as in cells.c.
 */
#include "solver/engine/level.h"

#include "solver/engine/tile.h"

enum { SQUARE = 64, GROUP = 8, APART = SQUARE + 1 };

/* As many ones as `width`, as many zeros, and so on from the lowest bit. */
static inline uint64_t low_parts(unsigned width)
{
  return UINT64_MAX / ((UINT64_C(1) << width) + 1);
}

/*
 * What differs: the parts a line is held in, which are the widest vectors of the processor; and
 * transpose_words(), by which word j of line i becomes word i of line j, of eight lines.
 */
#if defined(__AVX512BW__)

enum { PARTS = 1 };
typedef bit_line part;

static inline void interleave(part low, part high, part *to)
{
  to[0] = __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
  to[1] = __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
}

static inline void transpose_words(const part *from, part *to)
{
  part lines[2][GROUP];
  for (unsigned row = 0; row < GROUP; row++)
    lines[0][row] = from[row * SQUARE];
  for (unsigned stage = 0; stage < 3; stage++)
    for (unsigned at = 0; at < GROUP / 2; at++)
      interleave(lines[stage % 2][at], lines[stage % 2][at + GROUP / 2],
                 &lines[(stage + 1) % 2][2 * at]);
  for (unsigned word = 0; word < GROUP; word++)
    to[word * APART] = lines[1][word];
}

#elif defined(__AVX2__)

enum { PARTS = 2 };
typedef uint64_t part __attribute__((vector_size(LINE_BYTES / PARTS)));

/* Four words of four lines. */
static inline void transpose_four(const part *from, part *to)
{
  part lines[4], pairs[4];
  for (unsigned at = 0; at < 4; at++)
    lines[at] = from[at * PARTS * SQUARE];
  for (unsigned at = 0; at < 4; at += 2) {
    pairs[at] = __builtin_shufflevector(lines[at], lines[at + 1], 0, 4, 2, 6);
    pairs[at + 1] = __builtin_shufflevector(lines[at], lines[at + 1], 1, 5, 3, 7);
  }
  for (unsigned at = 0; at < 2; at++) {
    to[at * PARTS * APART] = __builtin_shufflevector(pairs[at], pairs[at + 2], 0, 1, 4, 5);
    to[(at + 2) * PARTS * APART] = __builtin_shufflevector(pairs[at], pairs[at + 2], 2, 3, 6, 7);
  }
}

static inline void transpose_words(const part *from, part *to)
{
  for (unsigned word = 0; word < GROUP; word += 4)
    for (unsigned row = 0; row < GROUP; row += 4)
      transpose_four(from + row * PARTS * SQUARE + word / 4, to + word * PARTS * APART + row / 4);
}

#else

enum { PARTS = 4 };
typedef uint64_t part __attribute__((vector_size(LINE_BYTES / PARTS)));

static inline void transpose_words(const part *from, part *to)
{
  for (unsigned word = 0; word < GROUP; word += 2)
    for (unsigned row = 0; row < GROUP; row += 2) {
      part low = from[row * PARTS * SQUARE + word / 2],
           high = from[(row + 1) * PARTS * SQUARE + word / 2];
      to[word * PARTS * APART + row / 2] = __builtin_shufflevector(low, high, 0, 2);
      to[(word + 1) * PARTS * APART + row / 2] = __builtin_shufflevector(low, high, 1, 3);
    }
}

#endif

/*
 * swap_bits() swaps, in every 2 * width bits of a word, the high part of `low` with the low part of
 * `high`; swap_bytes() does so in 2 * width bytes.
 */
#ifdef __AVX512BW__

static inline part select_bits(uint64_t mask, part yes, part no)
{
  __m512i masks = _mm512_set1_epi64((long long)mask);
  return (part)_mm512_ternarylogic_epi64(masks, (__m512i)yes, (__m512i)no, 0xca);
}

static inline void swap_bits(part *low, part *high, unsigned width)
{
  part was_low = *low;
  *low = select_bits(low_parts(width), *low, *high << width);
  *high = select_bits(low_parts(width), was_low >> width, *high);
}

/* For _mm512_shuffle_epi8(): each word turned right by so many bytes. */
static inline __m512i turn_by(unsigned bytes)
{
  uint64_t words[2] = {0};
  for (unsigned at = 0; at < sizeof words; at++)
    words[at / 8] |= (uint64_t)(at / 8 * 8 + (at + bytes) % 8) << at % 8 * 8;
  return _mm512_broadcast_i32x4(_mm_set_epi64x((long long)words[1], (long long)words[0]));
}

/* A shuffle is one step, not a shift and a selection. */
static inline void swap_bytes(part *low, part *high, unsigned width)
{
  __m512i was_low = (__m512i)*low, was_high = (__m512i)*high;
  __mmask64 kept = low_parts(width);
  *low = (part)_mm512_mask_shuffle_epi8(was_low, ~kept, was_high, turn_by(8 - width));
  *high = (part)_mm512_mask_shuffle_epi8(was_high, kept, was_low, turn_by(width));
}

#else

static inline void swap_bits(part *low, part *high, unsigned width)
{
  part changed = ((*low >> width) ^ *high) & low_parts(width);
  *high ^= changed;
  *low ^= changed << width;
}

static inline void swap_bytes(part *low, part *high, unsigned width)
{
  swap_bits(low, high, 8 * width);
}

#endif

typedef void swap_parts(part *low, part *high, unsigned width);

/* Three stages of the squares' transposition, of a part of lines 4, 2 and 1 `stride` apart. */
static inline void swap_lines(const part *from, part *to, unsigned stride, swap_parts *swap)
{
  part group[GROUP];
  for (unsigned at = 0; at < GROUP; at++)
    group[at] = from[at * stride * PARTS];
  for (unsigned at = 0; at < 4; at++)
    swap(&group[at], &group[at + 4], 4);
  for (unsigned at = 0; at < 4; at++)
    swap(&group[at / 2 * 4 + at % 2], &group[at / 2 * 4 + at % 2 + 2], 2);
  for (unsigned at = 0; at < 4; at++)
    swap(&group[2 * at], &group[2 * at + 1], 1);
  for (unsigned at = 0; at < GROUP; at++)
    to[at * stride * PARTS] = group[at];
}

/* Of 64 lines; those in between are overwritten. */
static inline void transpose_squares(part *lines, part *to)
{
  for (unsigned at = 0; at < GROUP * PARTS; at++)
    swap_lines(lines + at, lines + at, GROUP, swap_bytes);
  for (unsigned at = 0; at < SQUARE * PARTS; at += GROUP * PARTS)
    for (unsigned of = 0; of < PARTS; of++)
      swap_lines(lines + at + of, to + at + of, 1, swap_bits);
}

void tile_transpose(const uint64_t *from, uint64_t *to, uint32_t lines)
{
  part apart[GROUP * APART * PARTS];
  for (unsigned at = 0; at < SQUARE; at++)
    transpose_words((const part *)from + at * PARTS, apart + at * PARTS);
  for (unsigned word = 0; word * SQUARE < lines; word++)
    transpose_squares(apart + word * APART * PARTS, (part *)to + (size_t)word * SQUARE * PARTS);
}
