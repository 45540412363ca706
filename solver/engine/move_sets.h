/*
 * Moves as sets of nodes, for graphs that are dense: a row of bits for each place. Read-only once
 * made, for both attractors.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_MOVE_SETS_H
#define CATMOUSE_SOLVER_ENGINE_MOVE_SETS_H

#include "solver/engine/engine_options.h"
#include "solver/engine/lists.h"
#include "solver/engine/solving.h"

/*
 * Each by player, with a row for each place; nothing is made where moves are too few for it to pay.
 */
struct move_sets {
  bool made;
  uint64_t *moves[2];  /* where it can go */
  uint64_t *before[2]; /* from where it gets there; the same memory where moves can be taken back */
  uint32_t *twin[2];   /* the first of the places that it is a twin of, see TWIN_ADJACENT */
};

/*
 * Twins have the same moves. Those marked so have the same but for each other and themselves, as
 * the nodes of a clique have. No place has twins of both kinds.
 */
#define TWIN_ADJACENT (UINT32_C(1) << 31)

/*
 * 0 or a negative errno. Time O(nodes^2 / 64 + moves), memory nodes^2 / 8 bytes a player, or twice
 * that.
 */
int move_sets_init(struct move_sets *sets, struct solving *solving,
                   const struct engine_options *options, const struct lists *lists);
void move_sets_deinit(struct move_sets *sets, struct solving *solving, const struct lists *lists);

#endif
