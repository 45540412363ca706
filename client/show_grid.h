/* A grid drawn with its players and the mover's moves on it. */
#ifndef CATMOUSE_CLIENT_SHOW_GRID_H
#define CATMOUSE_CLIENT_SHOW_GRID_H

#include "client/show.h"

/* Nothing for a graph, for an unknown puzzle, or where the terminal is too narrow. */
void show_grid(const struct style *style, const struct cm_state *state, const struct cm_move *moves,
               uint32_t moves_count);

#endif
