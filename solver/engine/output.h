/* From two filled attractors to the finished table. */
#ifndef CATMOUSE_SOLVER_ENGINE_OUTPUT_H
#define CATMOUSE_SOLVER_ENGINE_OUTPUT_H

#include "solver/engine/attractor.h"
#include "solver/engine/blank.h"
#include "solver/engine/crew.h"

/*
 * Settles the blank and writes the table, with so many hands of the crew (NULL for one). The caller owns it.
 * 0 or what the job failed with.
 */
int output_table(const struct attractor attractors[static 2], struct blank *blank,
                 struct crew *crew, unsigned hands, struct table **made);

#endif
