/*
 * The physical limit: no solver can do less than write its table once into memory fresh from the
 * kernel (pages of the usual size) and read the move lists once.
 */
#ifndef CATMOUSE_BENCH_SOLVER_LIMIT_H
#define CATMOUSE_BENCH_SOLVER_LIMIT_H

#include "solver/arena.h"

/* Writes `table_bytes` and reads the lists; what was written is freed with limit_undo(). NULL without memory. */
void *limit_do(const struct arena *arena, size_t table_bytes);
void limit_undo(void *written, size_t table_bytes);

#endif
