/* From two filled attractors to the finished table. */
#ifndef CATMOUSE_SOLVER_OUTPUT_H
#define CATMOUSE_SOLVER_OUTPUT_H

#include "solver/attractor.h"
#include "solver/crew.h"
#include "solver/table.h"

/*
 * Allocates the table, as wide as the longest distance needs, and writes it, with so many hands of the
 * crew (NULL for one). The caller owns the table. 0 or what the job failed with.
 */
int output_table(const struct attractor attractors[static 2], struct crew *crew, unsigned hands,
                 struct table **made);

#endif
