/*
 * The oracle: outcomes and plies by plain iteration to a fixpoint over all states. It reads the
 * move lists of an arena and shares nothing else with the solver.
 */
#ifndef CATMOUSE_TESTS_SOLVER_ORACLE_H
#define CATMOUSE_TESTS_SOLVER_ORACLE_H

#include "solver/arena.h"
#include "solver/table.h"

/* nodes * nodes * 2 values, [turn][mouse][cat]; the caller free()s them. Aborts without memory. */
struct table_value *oracle_solve(const struct arena *arena);

#endif
