/* A layer's step with the loser to move, by predecessor sets. */
#ifndef CATMOUSE_SOLVER_ENGINE_FORALL_UNION_H
#define CATMOUSE_SOLVER_ENGINE_FORALL_UNION_H

#include "solver/engine/attractor.h"

void forall_union_block(struct attractor *attractor, struct worker *worker, uint32_t block);

#endif
