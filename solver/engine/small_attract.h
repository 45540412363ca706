/* The attractors of up to 64 nodes, where a row is one word. Private to the engine. */
#ifndef CATMOUSE_SOLVER_ENGINE_SMALL_ATTRACT_H
#define CATMOUSE_SOLVER_ENGINE_SMALL_ATTRACT_H

#include "solver/engine/solving.h"
#include "solver/game.h"

enum {
  NODES = 64,
  SQUARE_BYTES_MAX = NODES * NODES * 2, /* one turn, two-byte cells */
  TOO_LONG = 1,                         /* the layers outgrew the width of the cells */
};

/* A player's moves as sets, and what each node is to it. */
struct small_player {
  uint64_t moves[NODES];
  uint64_t before[NODES];
  uint64_t home, barred, stuck;
};

struct small_side {
  uint64_t bits[NODES];
  uint64_t fresh[NODES]; /* found in the last layer */
  uint64_t found[NODES]; /* found in this one; 0 outside `found_rows` */
  uint64_t fresh_rows, found_rows;
  uint64_t open;  /* the loser's places where the game goes on */
  uint8_t *cells; /* a square of rows of 64 cells */
};

struct small {
  struct solving *solving;
  uint32_t nodes, width;
  uint64_t all; /* every node */
  struct small_player players[2];
  struct small_side exists, forall; /* of the winner at hand */
  enum player winner;
  uint32_t layer;
  uint64_t decided;
  uint8_t squares[2][2 * SQUARE_BYTES_MAX]; /* by winner, then by turn */
};

static inline uint64_t bit(uint32_t node)
{
  return UINT64_C(1) << node;
}

static inline size_t square_bytes(const struct small *small)
{
  return (size_t)small->nodes * NODES * small->width;
}

/*
 * Fills the attractor of one winner and writes it down in the winner's squares, whose cells must be
 * 0 or the loser's. 0, TOO_LONG or a negative errno.
 */
int small_attract(struct small *small, enum player winner);

#endif
