/* Small arenas as sets of nodes. */
#ifndef CATMOUSE_SOLVER_SET_ARENA_H
#define CATMOUSE_SOLVER_SET_ARENA_H

#include <stdint.h>

#include "solver/arena.h"

enum { SET_NODES_MAX = 64 };

/*
 * An arena of up to SET_NODES_MAX nodes as sets of nodes: bit v of a word is node v. What words
 * from `nodes` on hold does not matter.
 */
struct set_arena {
  uint32_t nodes;
  uint32_t mouse, cat;               /* where they start */
  uint64_t moves[2][SET_NODES_MAX];  /* by enum player: where it can go from a node */
  uint64_t before[2][SET_NODES_MAX]; /* the same, turned round: from where it can come to a node */
  uint64_t home[2], barred[2];       /* as in struct arena */
};

/* Any arena that small. */
void set_arena_from(const struct arena *arena, struct set_arena *sets);

/*
 * The graph game on `neighbours`, a mirrored set a node, with these three distinct nodes as hole,
 * mouse and cat.
 */
void set_arena_graph(uint32_t nodes, const uint64_t *neighbours, uint32_t hole, uint32_t mouse,
                     uint32_t cat, struct set_arena *sets);

#endif
