/*
 * What the solver asks of the system beyond C11 and POSIX. Each system has a file of its own;
 * system_linux.c is the one there is. A port writes another.
 */
#ifndef CATMOUSE_SOLVER_SYSTEM_H
#define CATMOUSE_SOLVER_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How many processors this process may use: those that its threads may run on, and no more than its
 * control group's share of time amounts to, rounded up. At least 1.
 */
unsigned system_processors(void);

/*
 * The same for a control group alone (version 2): `membership` is a file like /proc/self/cgroup,
 * `mount` the folder that the groups lie in. 0 where nothing is bounded.
 */
unsigned system_group_processors(const char *membership, const char *mount);

/* Wishes for huge pages. */
void system_prefer_huge_pages(void *pages, size_t bytes);

/*
 * Moves pages from one address to another, where pages of the same size are mapped already, which
 * are unmapped. False where the system cannot; then nothing may be mapped at `to`, and `from` is as
 * it was.
 */
bool system_move_pages(void *from, void *to, size_t bytes);

/*
 * Maps fresh pages to an address where nothing is mapped. 0, -EEXIST where something is, or another
 * negative errno.
 */
int system_map_at(void *at, size_t bytes);

/* Has malloc() keep so much for each thread, and map no block below `map_from_bytes` by itself. */
void system_keep_small_blocks(size_t keep_bytes, size_t map_from_bytes);

#endif
