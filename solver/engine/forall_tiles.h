/* A layer's step with the loser to move, in transposed tiles. */
#ifndef CATMOUSE_SOLVER_ENGINE_FORALL_TILES_H
#define CATMOUSE_SOLVER_ENGINE_FORALL_TILES_H

#include "solver/engine/attractor.h"

/* `workers` by thread. The columns are shared with the other thread of the pair, NULL for none. */
void forall_tiles_block(struct attractor *attractor, struct worker *workers, unsigned thread,
                        struct thread_pair *pair, uint32_t block);

/* Of a worker's `tiles`. */
size_t forall_tiles_worker_bytes(const struct lists *lists);

#endif
