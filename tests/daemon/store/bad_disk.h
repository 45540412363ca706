/*
 * A disk that fails or hangs: stands in for the system calls of SQLite and of the store. In a program
 * that is linked with it they are the C library's until one of these is called.
 */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_BAD_DISK_H
#define CATMOUSE_TESTS_DAEMON_STORE_BAD_DISK_H

#include <stdbool.h>

enum bad_disk {
  BAD_DISK_FAILS_ONCE, /* opens, reads, writes, syncs, renames and removals count, and the nth fails */
  BAD_DISK_FULL,       /* writes and syncs fail with ENOSPC */
  BAD_DISK_HANGS,      /* these do not return until bad_disk_repair() */
  BAD_DISK_HANGS_ALL, /* nor do reads */
};

/* From now on. `nth` from 0, for the first kind. */
void bad_disk_spoil(enum bad_disk kind, long nth);

/* Waits until something hangs. */
void bad_disk_wait(void);

/* All is well again. Has something failed or hung before? */
bool bad_disk_repair(void);

#endif
