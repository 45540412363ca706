/* Solving a puzzle of any size, compiled for one instruction set. */
#ifndef CATMOUSE_SOLVER_ENGINE_LARGE_H
#define CATMOUSE_SOLVER_ENGINE_LARGE_H

#include "solver/arena.h"
#include "solver/engine/engine_options.h"
#include "solver/engine/solving.h"
#include "solver/table.h"

/* 0 or a negative errno, and then nothing is left behind. */
int large_solve(const struct arena *arena, struct solving *solving,
                const struct engine_options *forced, struct table **table);

#endif
