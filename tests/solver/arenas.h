/*
 * Random arenas of any size, and long ones, for the tests of the solver. A failed allocation fails
 * the test.
 */
#ifndef CATMOUSE_TESTS_SOLVER_ARENAS_H
#define CATMOUSE_TESTS_SOLVER_ARENAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/arena.h"
#include "solver/engine/engine.h"

struct random {
  uint64_t state;
};

uint32_t random_below(struct random *random, uint32_t bound);

/* An arena with its memory: an adjacency matrix for each player, then lists. */
struct specimen {
  struct arena arena;
  bool *can[2]; /* nodes * nodes: from, to */
  uint32_t *begin[2], *end[2], *to[2];
  uint64_t *sets[4];
};

void specimen_deinit(struct specimen *specimen);

/*
 * As in the graph game: a random graph, tree, path, or classes of twins with a path; the hole at
 * node 0. Some have further homes, and a node that nobody can leave.
 */
void make_mirrored(struct specimen *specimen, struct random *random, uint32_t nodes);

/*
 * Anything: moves of their own for both, staying, homes and barred nodes for both, stuck players.
 */
void make_directed(struct specimen *specimen, struct random *random, uint32_t nodes);

/* Mouse and cat go round on cycles that share one node, so they meet after very long. */
void make_cycles(struct specimen *specimen, uint32_t mouse_length, uint32_t cat_length);

/* Choices of the engine that fit so many nodes and this machine. */
struct engine_options random_options(struct random *random, uint32_t nodes);

/* calloc(), or the test has failed. */
void *zeroed(size_t count, size_t size);

#endif
