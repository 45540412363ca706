/* The vocabulary of the game, shared by every room. */
#ifndef CATMOUSE_SOLVER_GAME_H
#define CATMOUSE_SOLVER_GAME_H

#include <stdint.h>

enum game {
  GAME_GRAPH, /* LeetCode 913 */
  GAME_GRID,  /* LeetCode 1728 */
};

enum player {
  PLAYER_MOUSE,
  PLAYER_CAT,
};

/* Always absolute, never from the mover's side. The first two equal the player who wins. */
enum outcome {
  OUTCOME_MOUSE = PLAYER_MOUSE,
  OUTCOME_CAT = PLAYER_CAT,
  OUTCOME_DRAW,
};

/* A position and who moves next. */
struct state {
  uint32_t mouse; /* node */
  uint32_t cat;   /* node */
  enum player turn;
};

/* Plies where nobody can force the end. */
#define PLIES_NONE UINT32_MAX

/* The limit on plies where there is none. */
#define LIMIT_NONE 0u

static inline enum player player_other(enum player player)
{
  return player == PLAYER_MOUSE ? PLAYER_CAT : PLAYER_MOUSE;
}

/* The state after the mover of `state` went to `to`. */
static inline struct state state_after(struct state state, uint32_t to)
{
  *(state.turn == PLAYER_MOUSE ? &state.mouse : &state.cat) = to;
  state.turn = player_other(state.turn);
  return state;
}

#endif
