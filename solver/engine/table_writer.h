/* From two filled attractors to the finished table. */
#ifndef CATMOUSE_SOLVER_ENGINE_TABLE_WRITER_H
#define CATMOUSE_SOLVER_ENGINE_TABLE_WRITER_H

#include "solver/engine/attractor.h"
#include "solver/table.h"

/*
 * Makes the table of two attractors, by winner, as wide as the longest distance asks for. `threads`
 * of the pair (NULL for one) work on it. The caller owns the table, and what is held for its cells.
 * 0 or what the solve failed with. Time O(nodes^2 + records).
 */
int table_write(const struct attractor attractors[static 2], struct thread_pair *pair,
                unsigned threads, struct table **table);

#endif
