/*
 * A disk that fails or hangs: stands in for the system calls of SQLite and of the store. In a program
 * that is linked with it they are the C library's until one of these is called.
 */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_BAD_DISK_H
#define CATMOUSE_TESTS_DAEMON_STORE_BAD_DISK_H

#include <stdbool.h>

/*
 * From now on, opens, reads, writes, syncs, renames and removals count up from 0, and the nth fails
 * with EIO.
 */
void bad_disk_fail_once(long nth);

/* All writes fail so. */
void bad_disk_fail_writes(int error);

/* Writes and syncs, or also reads, do not return until bad_disk_repair(). */
void bad_disk_hang(bool reads);

/* Has something failed or hung since? */
bool bad_disk_has_hit(void);

/* The same, and all is well again. */
bool bad_disk_repair(void);

#endif
