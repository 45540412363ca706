/*
 * Who wins from the start, in how many plies, and nothing else: for streams of small puzzles. It
 * stops once that is decided, makes no table, and allocates nothing.
 */
#ifndef CATMOUSE_SOLVER_VERDICT_H
#define CATMOUSE_SOLVER_VERDICT_H

#include "solver/set_arena.h"
#include "solver/table.h"

enum { VERDICT_NODES_MAX = SET_NODES_MAX };

/*
 * What the table would say of the start, the mouse to move: DRAW where nobody can force the end,
 * and no limit. Any thread. Time O(nodes^2 * plies) words at worst, up to 16 nodes a few vector
 * operations a node and ply.
 */
struct table_value verdict(const struct set_arena *sets);

#endif
