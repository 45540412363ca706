/* Paths: as slow to solve as puzzles of their size get. What cannot be done fails the test. */
#ifndef CATMOUSE_TESTS_DAEMON_SOLVES_PATHS_H
#define CATMOUSE_TESTS_DAEMON_SOLVES_PATHS_H

#include "solver/arena.h"

/* The caller's own. */
struct arena *path_arena(uint32_t nodes);

#endif
