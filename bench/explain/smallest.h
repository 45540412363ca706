/* The smallest strategy there is, found by search: what explain()'s greedy choice is measured against. */
#ifndef CATMOUSE_BENCH_EXPLAIN_SMALLEST_H
#define CATMOUSE_BENCH_EXPLAIN_SMALLEST_H

#include "solver/arena.h"
#include "solver/proof.h"
#include "solver/table.h"

enum { SMALLEST_NODES_MOST = 8 }; /* a set of states is two words */

/*
 * The fewest states of a strategy for the same claim as `strategy`, with best moves alone where it wins. 0 where
 * the search looked at `tries_max` sets and was not done.
 */
uint32_t smallest_strategy(const struct arena *arena, const struct table *table,
                           const struct strategy *strategy, const struct state *start,
                           uint64_t tries_max);

#endif
