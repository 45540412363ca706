/* Which way a layer goes. */
#ifndef CATMOUSE_SOLVER_ENGINE_CHOOSE_H
#define CATMOUSE_SOLVER_ENGINE_CHOOSE_H

#include "solver/engine/attractor.h"

/* Fills `way` and `pulls` for the units of the frontier. */
void choose_ways(struct attractor *attractor);

#endif
