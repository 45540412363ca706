/* How moves compare for whoever makes them. Private to the solver. */
#ifndef CATMOUSE_SOLVER_RANKING_H
#define CATMOUSE_SOLVER_RANKING_H

#include <stdint.h>

#include "solver/answer.h"

/* The state after the mover of `state` went to `to`. */
static inline struct state state_after(struct state state, uint32_t to)
{
  *(state.turn == PLAYER_MOUSE ? &state.mouse : &state.cat) = to;
  state.turn = player_other(state.turn);
  return state;
}

/* The mover's move list of a state, `first` .. `last` - 1; empty where the game is over. */
void mover_moves(const struct arena *arena, const struct state *state, const uint32_t **first,
                 const uint32_t **last);

/* The mover's move to `to`, valued, where `limit_plies` are left before it. */
struct ranked_move move_value(const struct arena *arena, const struct table *table,
                              const struct state *state, uint32_t limit_plies, uint32_t to);

/* Less is better for `mover`: wins by fewest plies, then endless play, then losses by most plies. */
uint64_t move_rank(const struct ranked_move *move, enum player mover);

#endif
