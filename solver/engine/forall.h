/*
 * A layer's step with the loser to move, for a block of the winner's places: every move must lead
 * in. Each way is a file of its own, forall_*.c.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_FORALL_H
#define CATMOUSE_SOLVER_ENGINE_FORALL_H

#include "solver/engine/attractor.h"

/* Row by row, by lists or by the shift plan. */
void forall_rows_block(struct attractor *attractor, struct worker *worker, uint32_t block);

/*
 * In transposed tiles. `workers` by thread. The columns are shared with the other thread of the
 * pair, NULL for none.
 */
void forall_tiles_block(struct attractor *attractor, struct worker *workers, unsigned thread,
                        struct thread_pair *pair, uint32_t block);

/* Of a worker's `tiles`. */
size_t forall_tiles_worker_bytes(const struct lists *lists);

/* By sets, where moves are dense. */
void forall_union_block(struct attractor *attractor, struct worker *worker, uint32_t block);

#endif
