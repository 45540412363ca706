/* A puzzle as its author wrote it: read, not yet checked. arena_new() checks it. */
#ifndef CATMOUSE_SOLVER_PUZZLE_H
#define CATMOUSE_SOLVER_PUZZLE_H

#include <stdint.h>

#include "solver/game.h"

/* Every pointer is borrowed from whoever read the puzzle. */
struct puzzle {
  enum game game;
  union {
    struct {
      uint32_t nodes;
      const uint32_t
          *first; /* nodes + 1 offsets into `neighbour`; node v's list is first[v]..first[v+1]-1 */
      const int32_t *neighbour; /* as written, in any order, possibly out of range */
    } graph;
    struct {
      uint32_t rows;
      const char *const *row;     /* one string a row, not necessarily NUL-terminated */
      const uint32_t *row_length; /* bytes in each row */
      int32_t jump[2];            /* the longest jump, by enum player, as written */
    } grid;
  };
};

/* Of the rows as they are written, ragged or not. */
struct grid_size {
  uint64_t rows, cells;
  uint32_t widest;
};
struct grid_size grid_size(const struct puzzle *puzzle);

/* The moves of both players if there were no walls, staying included. */
uint64_t grid_moves_max(const struct grid_size *size, const int32_t jump[2]);

/* What is wrong with a puzzle or a state, in one sentence that names the place. */
struct complaint {
  char text[200];
};

#endif
