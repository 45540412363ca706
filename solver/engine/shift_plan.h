/*
 * The loser's moves as shifts of whole words.
 *
 * Moves between the same two words of a row and over the same distance are one shift: the word of
 * where they lead, rotated, lies on the word of where they start; a mask says which bits have such
 * a move. A grid has about four shifts for 64 places, a path two, a tree numbered depth-first about
 * twenty; a random graph has nearly one for each move, and no plan is made. Up to eight shifts
 * between the same two words are a group, done at once.
 *
 * A start word of few groups is narrow: going through them says at once which of its 64 places have
 * a move that does not win. A wide one, such as a hub makes, has too many for that.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_SHIFT_PLAN_H
#define CATMOUSE_SOLVER_ENGINE_SHIFT_PLAN_H

#include "solver/engine/bit_line.h"
#include "solver/engine/engine_options.h"
#include "solver/engine/lists.h"
#include "solver/engine/solving.h"

/* More take longer than to look at a few candidates. */
enum { NARROW_GROUPS_MAX = 10 };

struct shift_group {
  uint8_t rotations[LINE_WORDS]; /* by shift: leftwards, from the word led to */
  uint32_t at;                   /* where a row of bits has that word */
  uint32_t count;                /* of shifts */
};

/* A group of a wide start word. */
struct shift_wide {
  uint32_t group;
  uint32_t start; /* word */
};

struct shift_plan {
  uint64_t *masks; /* by group and shift: bits of the start word. NULL where there is no plan */
  struct shift_group *groups; /* by start word */
  uint32_t *first;            /* by start word: the first of its groups; words + 1 */
  struct shift_wide *wide;    /* by the word led to */
  uint32_t *wide_first;       /* by the word led to: the first of its wide groups; words + 1 */
  uint64_t *starts; /* by the word led to: the narrow start words, a bit set of start_words */
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

/* Where moves of a group start that lead to the set bits of a word, or to those not set. */
static inline shift_starts shift_back(const struct shift_plan *plan, uint32_t number, uint64_t word,
                                      bool set)
{
  const struct shift_group *group = &plan->groups[number];
  const uint64_t *masks = plan->masks + (size_t)number * LINE_WORDS;
#ifdef __AVX512F__
  __m512i rotations = _mm512_cvtepu8_epi64(_mm_loadu_si64(group->rotations));
  bit_line turned = (bit_line)_mm512_rolv_epi64(_mm512_set1_epi64((long long)word), rotations);
  return (set ? turned : ~turned) & line_load(masks);
#else
  uint64_t starts = 0;
  for (uint32_t shift = 0; shift < group->count; shift++)
    starts |= rotate_left(set ? word : ~word, group->rotations[shift]) & masks[shift];
  return starts;
#endif
}

static inline uint64_t shift_union(shift_starts starts)
{
#ifdef __AVX512F__
  return line_union(starts);
#else
  return starts;
#endif
}

static inline bool shift_is_narrow(const struct shift_plan *plan, uint32_t word)
{
  return plan->first[word + 1] - plan->first[word] <= NARROW_GROUPS_MAX;
}

/* Do moves of a wide word lead to the line? */
static inline bool shift_any_wide(const struct shift_plan *plan, uint32_t column)
{
  const uint32_t *first = plan->wide_first + (size_t)column * LINE_WORDS;
  return first[0] < first[LINE_WORDS];
}

/* Which places of a start word have a move to a bit that is not set. */
static inline uint64_t shift_blocked(const struct shift_plan *plan, uint32_t word,
                                     const uint64_t *winning)
{
  shift_starts blocked = {0};
  for (uint32_t at = plan->first[word]; at < plan->first[word + 1]; at++)
    blocked |= shift_back(plan, at, winning[plan->groups[at].at], false);
  return shift_union(blocked);
}

/*
 * Makes a plan, or none where it would not pay. 0 or a negative errno. Time O(moves * log moves).
 */
int shift_plan_init(struct shift_plan *plan, struct solving *solving,
                    const struct engine_options *options, const struct lists *lists,
                    enum player player);
void shift_plan_deinit(struct shift_plan *plan, struct solving *solving);

#endif
