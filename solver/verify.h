/*
 * Proves a table right without trusting how it was made: every state is checked against its
 * successors. A finished state has 0 plies. A win is 1 + the fewest plies among the winner's
 * winning moves; a loss 1 + the most plies among the loser's moves, all of them lost; an undecided
 * state has no winning move and at least one undecided move, or no move at all.
 */
#ifndef CATMOUSE_SOLVER_VERIFY_H
#define CATMOUSE_SOLVER_VERIFY_H

#include <stdatomic.h>
#include <stdint.h>

#include "solver/arena.h"
#include "solver/table.h"

struct verification {
  uint64_t checked;          /* states that can be asked about */
  uint64_t faults;           /* of these, at odds with their successors */
  struct state first;        /* the lowest faulty state (turn, mouse, cat) */
  struct table_value stored; /* what the table says there */
  struct table_value proper; /* what its successors say */
};

/*
 * 0, -ECANCELED once `stop` (may be NULL) is set, or -ENOMEM. Time O(nodes * moves), memory for 128
 * cells a node.
 */
int verify(const struct arena *arena, const struct table *table, const atomic_bool *stop,
           struct verification *verification);

#endif
