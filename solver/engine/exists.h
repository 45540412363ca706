/* A layer's step with the winner to move: one move into `forall` is enough. */
#ifndef CATMOUSE_SOLVER_ENGINE_EXISTS_H
#define CATMOUSE_SOLVER_ENGINE_EXISTS_H

#include "solver/engine/attractor.h"

void exists_push_column(struct attractor *attractor, struct worker *worker, uint32_t column);
void exists_pull_column(struct attractor *attractor, struct worker *worker, uint32_t column);

/* Once every block of the layer is done: puts in what was pulled. */
void exists_settle_column(struct attractor *attractor, uint32_t column);

#endif
