/*
 * The arena as the engine walks it: move lists and predecessor lists of both players, in the
 * engine's own numbering of the nodes. Read-only once made. Borrows the arena's lists where they
 * serve.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_LISTS_H
#define CATMOUSE_SOLVER_ENGINE_LISTS_H

#include "solver/arena.h"
#include "solver/engine/order.h"
#include "solver/engine/solving.h"

struct lists {
  uint32_t nodes;
  uint32_t lines;         /* in a row of `nodes` bits */
  struct moves moves[2];  /* by player */
  struct moves before[2]; /* from where each node is reached; nodes that are over or barred may be
                             missing or not, none of their states is ever waiting */
  uint64_t edges[2];      /* moves of each player */
  const uint64_t *home[2], *barred[2]; /* bit sets of whole lines */
  const uint32_t
      *node_at; /* NULL where the numbering is the arena's, else its node at each place */
  const uint32_t *place_of; /* the inverse, NULL likewise */

  uint32_t *memory; /* what the lists do not borrow */
  size_t memory_bytes;
};

/* Borrows the order. 0 or a negative errno. Time O(nodes + moves) at most. */
int lists_init(struct lists *lists, struct solving *solving, const struct arena *arena,
               const struct order *order);
void lists_deinit(struct lists *lists, struct solving *solving);

#endif
