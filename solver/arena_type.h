/*
 * The arena: a checked puzzle in the one form that the solver works on, for both games.
 * Immutable once made; any thread may read it.
 */
#ifndef CATMOUSE_SOLVER_ARENA_TYPE_H
#define CATMOUSE_SOLVER_ARENA_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/game.h"

/*
 * One player's move lists. From node v it can go to to[begin[v]] .. to[end[v] - 1], ascending and
 * without duplicates. Lists of both players may share memory.
 */
struct moves {
  const uint32_t *begin; /* one a node */
  const uint32_t *end;   /* one a node */
  const uint32_t *to;
};

struct arena {
  enum game game;
  uint32_t nodes;
  uint32_t rows, cols;   /* 0 unless a grid; node = row * cols + col */
  struct moves moves[2]; /* by enum player */
  bool mirrored;         /* each player can take back each move, so its predecessors are its moves,
                             but for nodes it is barred from or at home on */
  const uint64_t *home[2];   /* bit sets of nodes, by player: standing there, it wins */
  const uint64_t *barred[2]; /* bit sets of nodes, by player: it cannot stand there */
  enum outcome endless;      /* what a game without an end counts as */
  uint32_t limit_plies;      /* the game's own limit on plies, 0 for none */
  struct state start;
  size_t bytes; /* what the arena itself holds in memory */
};

static inline bool node_in(const uint64_t *set, uint32_t node)
{
  return set[node / 64] >> (node % 64) & 1;
}

/* Is the game over there: someone home, or caught? */
static inline bool state_is_over(const struct arena *arena, const struct state *state)
{
  return state->mouse == state->cat || node_in(arena->home[PLAYER_MOUSE], state->mouse) ||
         node_in(arena->home[PLAYER_CAT], state->cat);
}

#endif
