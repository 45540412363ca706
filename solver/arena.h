/*
 * The arena: a checked puzzle in the one form that the solver works on, for both games; making it,
 * and asking what it allows. Immutable once made; any thread may read it.
 */
#ifndef CATMOUSE_SOLVER_ARENA_H
#define CATMOUSE_SOLVER_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/puzzle.h"

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

/* Who has won there, or OUTCOME_DRAW. The cat on the mouse comes before any home. */
static inline enum outcome state_winner(const struct arena *arena, const struct state *state)
{
  if (state->mouse == state->cat)
    return OUTCOME_CAT;
  if (node_in(arena->home[PLAYER_MOUSE], state->mouse))
    return OUTCOME_MOUSE;
  return node_in(arena->home[PLAYER_CAT], state->cat) ? OUTCOME_CAT : OUTCOME_DRAW;
}

static inline bool state_is_over(const struct arena *arena, const struct state *state)
{
  return state_winner(arena, state) != OUTCOME_DRAW;
}

/*
 * Checks a puzzle and makes its arena, which the caller owns and frees with arena_free(). 0;
 * -EINVAL with `complaint` filled when the puzzle is bad; -ENOMEM. Time and memory O(nodes +
 * moves). A grid of more than 2^27 moves is bad: long jumps make so many of few cells.
 */
int arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint);
void arena_free(struct arena *arena);

/*
 * Any arena at all: unmirrored moves, several homes, whoever is stuck. For tests and for other
 * games. The lists and sets of `parts` are borrowed only for the call. No checks beyond asserts.
 */
int arena_new_from_parts(const struct arena *parts, struct arena **arena);

/* 2 * nodes * nodes: every placing of both players, either to move. */
uint64_t arena_states(const struct arena *arena);

/* Can this state be asked about? -EINVAL with `complaint` filled when not. */
int arena_check_state(const struct arena *arena, const struct state *state,
                      struct complaint *complaint);

#endif
