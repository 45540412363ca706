/* The textbook algorithm, for tests: a queue of decided states, and counters. */
#ifndef CATMOUSE_TESTS_SOLVER_QUEUE_H
#define CATMOUSE_TESTS_SOLVER_QUEUE_H

#include "tests/solver/arenas.h"

/* The cells of all states as in solver/table.h, [turn][mouse][cat]. The caller frees them. */
uint32_t *solve_by_queue(const struct specimen *specimen);

#endif
