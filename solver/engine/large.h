/* The ways to solve, compiled for one instruction set. See engine.c for who chooses. */
#ifndef CATMOUSE_SOLVER_ENGINE_LARGE_H
#define CATMOUSE_SOLVER_ENGINE_LARGE_H

#include "solver/engine/engine.h"
#include "solver/engine/job.h"

enum { SMALL_NODES_MAX = 64 };

/* Both return 0 or a negative errno, and then have left nothing behind. */
int large_solve(const struct arena *arena, struct job *job, const struct engine_options *forced,
                struct table **table);

/* For at most SMALL_NODES_MAX nodes. */
int small_solve(const struct arena *arena, struct job *job, const struct engine_options *forced,
                struct table **table);

#endif
