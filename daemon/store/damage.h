/* Carries over what can still be read of a damaged database. */
#ifndef CATMOUSE_DAEMON_STORE_DAMAGE_H
#define CATMOUSE_DAEMON_STORE_DAMAGE_H

#include "daemon/store/database.h"

/*
 * Copies the puzzles of `salvage.db` that are whole to an open database, and then moves that file to
 * damaged/, which is kept within `damaged_max` bytes. `puzzles`: how many there are now. 0, -ENOENT
 * where there is no such file, or a negative errno where they could not be written: then the next call
 * does it again.
 */
int damage_carry_over(struct database *database, const char *folder, uint64_t damaged_max,
                      uint64_t *puzzles);

#endif
