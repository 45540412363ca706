/*
 * The database of puzzles in the store's folder, and one connection to it, for one thread at a time.
 * Functions return 0 or a negative errno: -EBADMSG where the database is damaged, -EBUSY where another
 * process has kept it locked for five seconds, -ENOSPC, -EROFS, -EIO and so on.
 */
#ifndef CATMOUSE_DAEMON_STORE_DATABASE_H
#define CATMOUSE_DAEMON_STORE_DATABASE_H

#include <limits.h>
#include <sqlite3.h>
#include <stdatomic.h>

#include "daemon/base/log.h"
#include "solver/id.h"

#define ROW_BYTES "120" /* that a row takes on disk beside its packed puzzle, about */

/* What connections share. */
struct folder {
  char path[PATH_MAX];
  uint64_t damaged_max; /* bytes of a damaged database that is worth keeping */
  const struct log *log;
  atomic_uint damaged;  /* databases and puzzles, so far */
  atomic_bool salvages; /* puzzles are carried over, which may take long */
};

enum { STATEMENTS_MAX = 24 };

struct database {
  struct folder *folder;                    /* that it lies in */
  sqlite3 *handle;                          /* NULL where it is not open */
  sqlite3_stmt *statements[STATEMENTS_MAX]; /* each that was run */
};

/* Finds the path (`given`, or the usual place) without a look at the disk. 0, -ENOENT or -ENAMETOOLONG. */
int folder_find(const char *given, char path[static PATH_MAX]);

/*
 * Opens the database. Makes the folder, those above it and the database where they are missing. The
 * puzzles of a damaged one that can be read are carried over, and it goes to damaged/, where there is one
 * at most. One of another version becomes `puzzles.version-N.db`. -EPERM where the folder is a link,
 * another user's or open to others, -EEXIST where that name is taken.
 */
int database_open(struct database *database);

/* No harm if it is not open. */
void database_close(struct database *database);

/*
 * Closes it and takes its file away, unless another process has done so: a damaged one is to be carried
 * over by the next database_open(), any other is removed.
 */
int database_take_away(struct database *database, bool damaged);

/* Has its file been moved or removed? False if it is not open. */
bool database_has_moved(struct database *database);

/*
 * Begins a statement. `types` has a letter for each value, ?1 first: "i" a const struct id *, "b" bytes
 * and their size_t length, "n" a uint64_t; what is pointed to is borrowed while it runs. database_step()
 * returns 1 for each row, then 0 or a negative errno. Whoever stops before that calls sqlite3_reset().
 */
sqlite3_stmt *database_query(struct database *database, const char *sql, const char *types, ...);
int database_step(struct database *database, sqlite3_stmt *statement);

/* Runs one to its end. `numbers`, unless NULL: of its first row, and 0 where there is none. */
#define database_run(database, numbers, ...) \
  database_finish(database, database_query(database, __VA_ARGS__), numbers)
int database_finish(struct database *database, sqlite3_stmt *statement, uint64_t numbers[2]);

#endif
