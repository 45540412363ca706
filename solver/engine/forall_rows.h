/* A layer's step with the loser to move, row by row. */
#ifndef CATMOUSE_SOLVER_ENGINE_FORALL_ROWS_H
#define CATMOUSE_SOLVER_ENGINE_FORALL_ROWS_H

#include "solver/engine/attractor.h"

void forall_rows_block(struct attractor *attractor, struct worker *worker, uint32_t block);

#endif
