/* Random puzzles of both games, and random arenas of no game at all, from a seed. */
#ifndef CATMOUSE_TESTS_SOLVER_RANDOM_PUZZLE_H
#define CATMOUSE_TESTS_SOLVER_RANDOM_PUZZLE_H

#include "solver/arena.h"

/* A generator's state: any seed will do. */
struct chance {
  uint64_t state;
};

/* Evenly from 0 .. bound - 1. */
uint32_t chance_below(struct chance *chance, uint32_t bound);

/*
 * Arenas of about `nodes_max` nodes, 4 to 40, at most; the caller frees them. They abort without
 * memory.
 */
struct arena *random_graph(struct chance *chance, uint32_t nodes_max);
struct arena *random_grid(struct chance *chance, uint32_t nodes_max);

/* Unmirrored moves of each player's own, several homes, barred nodes, players who are stuck. */
struct arena *random_arena(struct chance *chance, uint32_t nodes_max);

#endif
