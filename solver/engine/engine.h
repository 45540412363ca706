/* The engine behind solve(), with every choice it makes open to be forced. For tests and bench. */
#ifndef CATMOUSE_SOLVER_ENGINE_ENGINE_H
#define CATMOUSE_SOLVER_ENGINE_ENGINE_H

#include <stdbool.h>

#include "solver/arena.h"
#include "solver/engine/engine_options.h"
#include "solver/set_arena.h"
#include "solver/solve_options.h"
#include "solver/table.h"

/* "auto", "plain", ... */
extern const char *const engine_level_names[];

/* Can this machine run it? */
bool engine_level_works(enum engine_level level);

/* solve(), forced. A level that this machine lacks or a size that does not fit is an assert. */
int engine_solve(const struct arena *arena, const struct solve_options *options,
                 const struct engine_options *forced, struct table **table);

/* verdict(), forced. A level that this machine lacks or a way that does not fit is an assert. */
struct table_value engine_verdict(const struct set_arena *sets, enum engine_level level,
                                  enum engine_verdict way);

#endif
