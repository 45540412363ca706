/* The ways of verdict(), each compiled for each instruction set. Private to the engine. */
#ifndef CATMOUSE_SOLVER_ENGINE_VERDICT_WAYS_H
#define CATMOUSE_SOLVER_ENGINE_VERDICT_WAYS_H

#include "solver/set_arena.h"
#include "solver/table.h"

enum { VERDICT_REGISTER_NODES_MAX = 16 };

struct table_value verdict_register(const struct set_arena *sets);
struct table_value verdict_words(const struct set_arena *sets);

#endif
