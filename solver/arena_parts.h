/* What the makers of arenas share: the one block that holds an arena, and complaints. */
#ifndef CATMOUSE_SOLVER_ARENA_PARTS_H
#define CATMOUSE_SOLVER_ARENA_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "solver/arena.h"

/* Where an arena under construction is written to; all in the block of `arena`. */
struct arena_parts {
  struct arena *arena;
  uint32_t *begin[2];
  uint32_t *end[2];
  uint32_t *to;
  uint64_t *home[2];
  uint64_t *barred[2];
};

/*
 * One zeroed block for an arena of `nodes` nodes whose lists hold `targets` nodes in all. A shared
 * `end` serves both players. 0 or -ENOMEM.
 */
int arena_parts_new(uint32_t nodes, uint64_t targets, bool shared_end, struct arena_parts *parts);

static inline uint32_t node_set_words(uint32_t nodes)
{
  return nodes / 64 + 1;
}

static inline void node_add(uint64_t *set, uint32_t node)
{
  set[node / 64] |= UINT64_C(1) << (node % 64);
}

/* Fills `complaint`, printf style, and returns -EINVAL. */
int complain(struct complaint *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
