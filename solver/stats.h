/* What a whole table looks like: counts, the longest wins, the spread of plies. */
#ifndef CATMOUSE_SOLVER_STATS_H
#define CATMOUSE_SOLVER_STATS_H

#include <stdatomic.h>
#include <stdint.h>

#include "solver/arena.h"
#include "solver/table.h"

struct longest_win {
  uint32_t plies;     /* PLIES_NONE where this player wins nowhere */
  struct state state; /* the lowest state (turn, mouse, cat) that takes so long */
};

/* Over every state that can be asked about. */
struct table_stats {
  uint64_t outcomes[2][3]; /* [side to move][enum outcome]; OUTCOME_DRAW counts the undecided */
  struct longest_win longest[2]; /* by winner */
  uint64_t *histogram[2];        /* by winner: states won in 0, 1, 2... plies; owned, see deinit */
  uint32_t histogram_count[2];   /* longest plies + 1, or 0 */
};

/* 0, -ENOMEM or -ECANCELED once `stop` (may be NULL) is set. Time O(states). */
int table_stats_init(struct table_stats *stats, const struct arena *arena,
                     const struct table *table, const atomic_bool *stop);
void table_stats_deinit(struct table_stats *stats);

#endif
