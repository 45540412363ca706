/* verdict() of few nodes, compiled for one instruction set. */
#ifndef CATMOUSE_SOLVER_ENGINE_VERDICT_REGISTER_H
#define CATMOUSE_SOLVER_ENGINE_VERDICT_REGISTER_H

#include "solver/set_arena.h"
#include "solver/table.h"

enum { VERDICT_REGISTER_NODES_MAX = 16 };

struct table_value verdict_register(const struct set_arena *sets);

#endif
