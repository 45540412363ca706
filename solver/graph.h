/* The graph game's puzzle, checked and turned into an arena. Private to the solver; see arena_new(). */
#ifndef CATMOUSE_SOLVER_GRAPH_H
#define CATMOUSE_SOLVER_GRAPH_H

#include "solver/arena.h"

int graph_arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint);

#endif
