/* The store's folder: where it lies, that it is this user's alone, and the files in it. Any thread. */
#ifndef CATMOUSE_DAEMON_STORE_FOLDER_H
#define CATMOUSE_DAEMON_STORE_FOLDER_H

#include <limits.h>
#include <stdint.h>

enum { DAMAGED_MAX = 4 }; /* databases in damaged/: 1.db is the newest, and the oldest gives way */

#define FOLDER_DATABASE "puzzles.db"
#define FOLDER_SALVAGE \
  "salvage.db" /* a damaged database whose puzzles are still to be carried over */

/* Finds the path (`given`, or the usual place) without a look at the disk. 0, -ENOENT or -ENAMETOOLONG. */
int folder_find(const char *given, char path[static PATH_MAX]);

/*
 * Makes the folder, and those above it, where it is missing; checks it; and locks it, so that daemons
 * and threads open and rename databases one after another. Returns a descriptor, to be closed; -EPERM
 * where it is a link, no folder, another user's or open to others; or another negative errno.
 */
int folder_lock(const char *path);

/*
 * 0 for a plain file, -ENOENT where there is none, -EBADMSG for anything else, or another negative
 * errno.
 */
int folder_check_file(int folder, const char *name);

/* Removes what SQLite has put beside a database. */
void folder_remove_rest(int folder, const char *name);

/* Lets it be written: SQLite made it read-only while the database was. */
void folder_allow_rest(int folder, const char *name);

/*
 * Renames a database and what SQLite has put beside it, over whatever has that name. 0 or a negative
 * errno.
 */
int folder_rename(int folder, const char *from, const char *to);

/*
 * Moves `salvage.db`, if there is one, to damaged/, which is kept within `bytes_max`. 0 or a negative
 * errno.
 */
int folder_put_away(int folder, uint64_t bytes_max);

#endif
