/*
 * solve(): the exact value of every state of an arena, by retrograde analysis, with no bound on the
 * length of play.
 */
#ifndef CATMOUSE_SOLVER_SOLVE_H
#define CATMOUSE_SOLVER_SOLVE_H

#include <stdint.h>

#include "solver/arena.h"
#include "solver/solve_options.h"
#include "solver/table.h"

/*
 * How many processors this process may use: what its threads may run on, within its control group's
 * share.
 */
unsigned solve_processors(void);

/*
 * What solve() will hold at most at once, the finished table included, as far as can be said before
 * the longest distance is known: cells are taken to be 2 bytes wide.
 */
uint64_t solve_bytes(const struct arena *arena);

/*
 * Solves an arena into a table that the caller owns. `options` may be NULL. 0; -EFBIG above
 * SOLVE_NODES_MAX nodes, or when more than max_bytes would be held (before anything is allocated
 * where solve_bytes() already says so); -ENOMEM; -ECANCELED when stopped. Nothing is left behind on
 * failure. Reentrant: any number of threads may solve at once.
 */
int solve(const struct arena *arena, const struct solve_options *options, struct table **table);

/*
 * For a process that solves often: keeps the memory that solves and tables give back for the next,
 * where asking the system for it anew may take longer than the solve itself. Of large blocks up to
 * `most_bytes` in all; of small ones some megabytes a thread. Once, before there are threads.
 */
void solve_keep_memory(uint64_t most_bytes);

/*
 * How much of large blocks is kept now; and giving it back to the system, all or as much as was not
 * needed since the last call. Takes milliseconds where it is much. Any thread.
 */
uint64_t solve_kept_bytes(void);
void solve_drop_memory(void);
void solve_trim_memory(void);

#endif
