/*
 * Proofs: why a state has its outcome, in a form that the rules alone can check (proof_check.h).
 *
 * A strategy says what one player does in every state that can arise while that player follows it,
 * whatever the other does. One that wins is enough for a win. A draw takes two that hold, one a
 * player; where endless play counts as a win, the winner's that holds is enough.
 */
#ifndef CATMOUSE_SOLVER_PROOF_H
#define CATMOUSE_SOLVER_PROOF_H

#include <stdint.h>

#include "solver/game.h"

#define MOVE_NONE UINT32_MAX

enum goal {
  GOAL_WIN,  /* the player wins within the plies of each state, which fall with every move */
  GOAL_HOLD, /* the other does not win within the plies of each state; PLIES_NONE: never */
};

/* One state of a strategy, not over yet. */
struct proof_state {
  struct state state;
  uint32_t move; /* to a node; MOVE_NONE where the other player moves, or nobody can */
  uint32_t plies;
};

struct strategy {
  enum player player;
  enum goal goal;
  struct proof_state *states; /* owned; the claim's state is the first */
  uint32_t states_count;
};

struct claim {
  struct state state;
  enum outcome outcome;
  uint32_t plies;       /* won within so many; PLIES_NONE where nobody forces the end */
  uint32_t limit_plies; /* the game stops after so many, 0 for never */
};

struct proof {
  struct claim claim;
  struct strategy strategies[2];
  uint32_t strategies_count; /* 0 where the claim's state is over */
};

void proof_deinit(struct proof *proof);

/* Of all strategies together. */
uint64_t proof_states(const struct proof *proof);

#endif
