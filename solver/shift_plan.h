/*
 * The loser's moves as shifts of whole words.
 *
 * Moves between the same two words of a row and over the same distance are one shift: the word of where they
 * lead, rotated, lies on the word of where they start; a mask says which bits have such a move. A grid has
 * about four shifts for 64 places, a path two, a tree numbered depth-first about twenty; a random graph has
 * nearly one for each move, and no plan is made. Up to eight shifts between the same two words are a group,
 * done at once.
 */
#ifndef CATMOUSE_SOLVER_SHIFT_PLAN_H
#define CATMOUSE_SOLVER_SHIFT_PLAN_H

#include "solver/bit_line.h"
#include "solver/engine.h"
#include "solver/job.h"
#include "solver/lists.h"

struct shift_group {
  uint64_t masks[LINE_WORDS];     /* by shift: bits of the start word */
  uint64_t rotations[LINE_WORDS]; /* leftwards, from where the moves lead to where they start */
  uint32_t count;                 /* of shifts; the other masks are 0 */
  uint32_t word; /* the other word: its number in `into`, where a row has it in `from` */
};

struct shift_plan {
  struct shift_group *from; /* by start word */
  struct shift_group *into; /* by the word they lead to */
  uint32_t *from_first;     /* words + 1; NULL where there is no plan */
  uint32_t *into_first;
  uint32_t groups, words;
  size_t bytes;
};

static inline uint64_t rotate_left(uint64_t word, unsigned by)
{
  return word << (by & 63) | word >> (-by & 63);
}

/* Where a move of the group starts that leads to one of the bits. */
static inline uint64_t shift_back(const struct shift_group *group, uint64_t bits)
{
#if defined(__AVX512F__)
  __m512i moved =
      _mm512_rolv_epi64(_mm512_set1_epi64((long long)bits), _mm512_loadu_si512(group->rotations));
  return line_union((line)_mm512_and_si512(moved, _mm512_loadu_si512(group->masks)));
#else
  uint64_t starts = 0;
  for (uint32_t shift = 0; shift < group->count; shift++)
    starts |= rotate_left(bits, (unsigned)group->rotations[shift]) & group->masks[shift];
  return starts;
#endif
}

/*
 * How many shifts the moves make in a numbering, NULL for the one they have. 0 or a negative errno.
 * Time O(nodes + moves), memory O(nodes).
 */
int shift_count(struct job *job, const struct moves *moves, uint32_t nodes, const uint32_t *node_at,
                const uint32_t *place_of, uint64_t *shifts);

/* Makes a plan, or none where it would not pay. 0 or a negative errno. Time O(moves * log moves). */
int shift_plan_init(struct shift_plan *plan, struct job *job, const struct engine_options *options,
                    const struct lists *lists, enum player player);
void shift_plan_deinit(struct shift_plan *plan, struct job *job);

#endif
