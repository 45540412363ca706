/*
 * Answers read off a finished table: the value of a state, and its moves ranked. line.h has the
 * line of best play. Every state passed in has passed arena_check_state().
 *
 * A limit of r plies asks what holds if the game stops r plies from here: the winner of the table
 * where its plies <= r, else what an endless game counts as. 0 is no limit.
 */
#ifndef CATMOUSE_SOLVER_ANSWER_H
#define CATMOUSE_SOLVER_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "solver/arena.h"
#include "solver/line.h"
#include "solver/table.h"

struct answer_value {
  enum outcome outcome; /* as the game counts it: never DRAW where endless is a win */
  uint32_t plies;       /* PLIES_NONE where nobody forces the end within the limit */
};

/* One move, valued from the position after it. */
struct ranked_move {
  uint32_t to; /* node */
  struct answer_value value;
};

struct answer_value answer_value(const struct arena *arena, const struct table *table,
                                 const struct state *state, uint32_t limit_plies);

/* How many moves answer_moves() will write: 0 where the game is over or the mover is stuck. */
size_t answer_move_count(const struct arena *arena, const struct state *state);

/*
 * Every move of the mover, best first: winning ones by fewest plies, then endless ones, then losing
 * ones by most plies; ties by lowest node. `moves` has room for answer_move_count().
 * Time O(moves * log moves).
 */
void answer_moves(const struct arena *arena, const struct table *table, const struct state *state,
                  uint32_t limit_plies, struct ranked_move *moves);

#endif
