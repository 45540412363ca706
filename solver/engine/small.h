/* Puzzles of few nodes: the table, or the start's verdict. Compiled for one instruction set. */
#ifndef CATMOUSE_SOLVER_ENGINE_SMALL_H
#define CATMOUSE_SOLVER_ENGINE_SMALL_H

#include "solver/arena.h"
#include "solver/engine/engine_options.h"
#include "solver/engine/solving.h"
#include "solver/set_arena.h"
#include "solver/table.h"

enum { SMALL_NODES_MAX = SET_NODES_MAX };

/* For at most SMALL_NODES_MAX nodes. 0 or a negative errno, and then nothing is left behind. */
int small_solve(const struct arena *arena, struct solving *solving,
                const struct engine_options *forced, struct table **table);

/* verdict(), of as many. */
struct table_value small_verdict(const struct set_arena *sets);

#endif
