/*
 * The loser's moves as shifts of whole words.
 *
 * Moves between the same two words of a row and over the same distance are one `shift`: the word of
 * where they lead, rotated, lies on the word of where they start; `mask` says which bits have such a
 * move. A grid has about four shifts for 64 places, a path two, a tree numbered depth-first about
 * thirty; a random graph has nearly one for each move, and no plan is made.
 */
#ifndef CATMOUSE_SOLVER_SHIFT_PLAN_H
#define CATMOUSE_SOLVER_SHIFT_PLAN_H

#include "solver/engine.h"
#include "solver/job.h"
#include "solver/lists.h"

struct shift {
  uint64_t mask;     /* bits of the start word */
  uint32_t word;     /* the other word: its number in `into`, where a row has it in `from` */
  uint32_t rotation; /* leftwards, from where the moves lead to where they start */
};

struct shift_plan {
  struct shift *from;   /* by start word */
  struct shift *into;   /* by the word they lead to */
  uint32_t *from_first; /* words + 1; NULL where there is no plan */
  uint32_t *into_first;
  uint32_t shifts, words;
  uint32_t links; /* pairs of words that have a shift */
  size_t bytes;
};

static inline uint64_t rotate_left(uint64_t word, unsigned by)
{
  return word << (by & 63) | word >> (-by & 63);
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
