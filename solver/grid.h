/*
 * The grid game's puzzle, checked and turned into an arena. Private to the solver; see arena_new().
 */
#ifndef CATMOUSE_SOLVER_GRID_H
#define CATMOUSE_SOLVER_GRID_H

#include "solver/arena.h"

int grid_arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint);

#endif
