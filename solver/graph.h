/*
 * The graph game's puzzle, checked and turned into an arena. Private to the solver; see
 * arena_new().
 */
#ifndef CATMOUSE_SOLVER_GRAPH_H
#define CATMOUSE_SOLVER_GRAPH_H

#include "solver/arena_parts.h"

int graph_arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint);

/* What the game says of the rest, once the mouse's lists are in `parts`, ascending and mirrored. */
void graph_arena_finish(struct arena_parts *parts);

#endif
