/*
 * The loser's moves as shifts of whole words.
 *
 * Moves between the same two words of a row and over the same distance are one shift: the word of
 * where they lead, rotated, lies on the word of where they start; a mask says which bits have such
 * a move. A grid has about four shifts for 64 places, a path two, a tree numbered depth-first about
 * twenty; a random graph has nearly one for each move, and no plan is made. Up to eight shifts
 * between the same two words are a group, done at once.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_SHIFT_PLAN_H
#define CATMOUSE_SOLVER_ENGINE_SHIFT_PLAN_H

#include "solver/engine/bit_line.h"
#include "solver/engine/engine_options.h"
#include "solver/engine/lists.h"
#include "solver/engine/solving.h"

/*
 * The number of a shift of one start word: the word it leads to, and the rotation. There are nodes
 * + 64 at most.
 */
static inline uint32_t shift_slot(uint32_t start, uint32_t lead)
{
  return lead / 64 * 64 + ((start - lead) & 63);
}

static inline size_t shift_slot_bytes(uint32_t nodes)
{
  return ((size_t)nodes + 64) * sizeof(uint32_t);
}

struct shift_group {
  uint8_t rotations[LINE_WORDS]; /* by shift: leftwards, from the word led to */
  uint32_t at;                   /* where a row of bits has that word */
  uint32_t count;                /* of shifts */
};

struct shift_plan {
  uint64_t *masks; /* by group and shift: bits of the start word. NULL where there is no plan */
  struct shift_group *groups; /* by start word */
  uint32_t *first;            /* by start word: the first of its groups; words + 1 */
  uint64_t *starts;           /* by the word led to: the start words, a bit set of start_words */
  uint32_t group_count, words, start_words;
  size_t bytes;
};

/* Places of a start word; a line of them is yet to be united. */
#ifdef __AVX512F__
typedef bit_line shift_starts;
#else
typedef uint64_t shift_starts;
#endif

static inline uint64_t rotate_left(uint64_t word, unsigned by)
{
  return word << (by & 63) | word >> (-by & 63);
}

/* Where moves of a group start that lead to bits of a word that are not set. */
static inline shift_starts shift_back(const struct shift_plan *plan, uint32_t number, uint64_t word)
{
  const struct shift_group *group = &plan->groups[number];
  const uint64_t *masks = plan->masks + (size_t)number * LINE_WORDS;
#ifdef __AVX512F__
  __m512i rotations = _mm512_cvtepu8_epi64(_mm_loadu_si64(group->rotations));
  bit_line turned = (bit_line)_mm512_rolv_epi64(_mm512_set1_epi64((long long)word), rotations);
  return ~turned & line_load(masks);
#else
  uint64_t starts = 0;
  for (uint32_t shift = 0; shift < group->count; shift++)
    starts |= rotate_left(~word, group->rotations[shift]) & masks[shift];
  return starts;
#endif
}

/* Which places of a start word have a move to a bit that is not set. */
static inline uint64_t shift_blocked(const struct shift_plan *plan, uint32_t word,
                                     const uint64_t *winning)
{
  shift_starts blocked = {0};
  for (uint32_t at = plan->first[word]; at < plan->first[word + 1]; at++)
    blocked |= shift_back(plan, at, winning[plan->groups[at].at]);
#ifdef __AVX512F__
  return line_union(blocked);
#else
  return blocked;
#endif
}

/*
 * Makes a plan, or none where it would not pay. 0 or a negative errno. Time O(moves * log moves).
 */
int shift_plan_init(struct shift_plan *plan, struct solving *solving,
                    const struct engine_options *options, const struct lists *lists,
                    enum player player);
void shift_plan_deinit(struct shift_plan *plan, struct solving *solving);

/*
 * How many shifts the moves make in a numbering, NULL for the one they have. 0 or a negative errno.
 * Time O(nodes + moves), memory O(nodes).
 */
int shift_count(struct solving *solving, const struct moves *moves, uint32_t nodes,
                const uint32_t *node_at, const uint32_t *place_of, uint64_t *shifts);

#endif
