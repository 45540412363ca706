/* Retrograde analysis: filling an attractor layer by layer. */
#ifndef CATMOUSE_SOLVER_ENGINE_LAYERS_H
#define CATMOUSE_SOLVER_ENGINE_LAYERS_H

#include "solver/engine/attractor.h"

/* 0 or what the solve failed with. */
int layers_run(struct attractor *attractor, struct team *team);

#endif
