/* From starting the daemon to its first answer about what was there before. */
#ifndef CATMOUSE_BENCH_STORE_RESTART_H
#define CATMOUSE_BENCH_STORE_RESTART_H

#include "bench/store/tables.h"

/* Fills the folder with `puzzles` puzzles and one table, then measures; prints and appends rows. */
void restart_measure(const struct plan *plan, const char *program, struct store_folder *folder,
                     unsigned puzzles, json_t *rows);

#endif
