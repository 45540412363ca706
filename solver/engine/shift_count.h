/* Counting the shifts that moves make (shift_plan.h), for a numbering of the nodes. */
#ifndef CATMOUSE_SOLVER_ENGINE_SHIFT_COUNT_H
#define CATMOUSE_SOLVER_ENGINE_SHIFT_COUNT_H

#include "solver/arena_type.h"
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

/*
 * How many shifts the moves make in a numbering, NULL for the one they have. 0 or a negative errno.
 * Time O(nodes + moves), memory O(nodes).
 */
int shift_count(struct solving *solving, const struct moves *moves, uint32_t nodes,
                const uint32_t *node_at, const uint32_t *place_of, uint64_t *shifts);

#endif
