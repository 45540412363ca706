/*
 * The canonical form of an arena: a sequence of 32-bit numbers that is the same however its puzzle
 * was written. id.c hashes it, packed.c packs it.
 *
 *   game, nodes, rows, cols, endless, limit per player: per node: count of moves, then the moves
 *   ascending per player: home, then barred, as bit sets of (nodes + 63) / 64 64-bit words, the low
 *   half first
 *
 * A graph's cat moves follow from the mouse's, so there only the mouse's are in it. Where the
 * players start is not.
 */
#ifndef CATMOUSE_SOLVER_CANONICAL_H
#define CATMOUSE_SOLVER_CANONICAL_H

#include "solver/arena.h"

/*
 * Receives each number, and what it cannot be less than: a move is larger than the one before it.
 */
typedef void canonical_put(void *context, uint32_t number, uint32_t at_least);

static inline uint32_t canonical_set_words(uint32_t nodes)
{
  return nodes / 64 + (nodes % 64 > 0);
}

/* How many players' moves are in the form. */
static inline int canonical_movers(enum game game)
{
  return game == GAME_GRAPH ? 1 : 2;
}

static inline __attribute__((always_inline)) void
canonical_put_moves(const struct moves *moves, uint32_t nodes, canonical_put *put, void *context)
{
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t at_least = 0;
    put(context, moves->end[node] - moves->begin[node], 0);
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++) {
      put(context, moves->to[i], at_least);
      at_least = moves->to[i] + 1;
    }
  }
}

static inline __attribute__((always_inline)) void
canonical_put_set(const uint64_t *set, uint32_t nodes, canonical_put *put, void *context)
{
  for (uint32_t word = 0; word < canonical_set_words(nodes); word++) {
    put(context, (uint32_t)set[word], 0);
    put(context, (uint32_t)(set[word] >> 32), 0);
  }
}

/* Gives the whole form to `put`. Inlined, so that a small puzzle costs no call a number. */
static inline __attribute__((always_inline)) void canonical_walk(const struct arena *arena,
                                                                 canonical_put *put, void *context)
{
  const uint32_t head[] = {arena->game, arena->nodes,   arena->rows,
                           arena->cols, arena->endless, arena->limit_plies};
  for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
    put(context, head[i], 0);
  for (int player = 0; player < canonical_movers(arena->game); player++)
    canonical_put_moves(&arena->moves[player], arena->nodes, put, context);
  for (int player = 0; player < 2; player++) {
    canonical_put_set(arena->home[player], arena->nodes, put, context);
    canonical_put_set(arena->barred[player], arena->nodes, put, context);
  }
}

#endif
