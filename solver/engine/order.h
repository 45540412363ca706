/*
 * A numbering of the nodes in which moves are short and alike, so that words of bits can be
 * shifted.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_ORDER_H
#define CATMOUSE_SOLVER_ENGINE_ORDER_H

#include "solver/arena.h"
#include "solver/engine/engine_options.h"
#include "solver/engine/solving.h"

struct order {
  uint32_t *node_at; /* NULL: keep the arena's numbering */
  uint32_t *place_of;
  size_t bytes;
};

/* 0 or a negative errno. Time O(nodes + moves). */
int order_init(struct order *order, struct solving *solving, const struct engine_options *options,
               const struct arena *arena);
void order_deinit(struct order *order, struct solving *solving);

#endif
