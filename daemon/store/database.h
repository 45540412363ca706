/*
 * One connection to the database of puzzles, for one thread. Functions return 0 or a negative errno:
 * -EBADMSG where the database is damaged, -ESTALE where its file has been moved or removed since it was
 * opened, -EBUSY where another process has kept it locked for five seconds, -ENOSPC, -EROFS, -EIO and
 * so on.
 */
#ifndef CATMOUSE_DAEMON_STORE_DATABASE_H
#define CATMOUSE_DAEMON_STORE_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "solver/id.h"

/*
 * X(constant, SQL): what a connection prepares when it is opened. ?1 is an id, ?2 another one, ?3 a
 * packed puzzle, ?4 to ?7 numbers, and ?8 DATABASE_ROW_BYTES.
 */
#define DATABASE_STATEMENTS(X)                                                                       \
  X(BEGIN, "BEGIN IMMEDIATE")                                                                        \
  X(COMMIT, "COMMIT")                                                                                \
  X(ROLLBACK, "ROLLBACK")                                                                            \
  X(KEEP, "INSERT INTO puzzles (id, game, nodes, used, puzzle) VALUES (?1, ?4, ?5, ?6, ?3) "         \
          "ON CONFLICT (id) DO UPDATE SET game = excluded.game, nodes = excluded.nodes, "            \
          "used = excluded.used, puzzle = excluded.puzzle")                                          \
  X(TOUCH, "UPDATE puzzles SET used = ?4 WHERE id = ?1 AND used < ?4 - 3600")                        \
  X(FORGET, "DELETE FROM puzzles WHERE id = ?1 RETURNING 1, length(puzzle) + ?8")                    \
  X(FIND, "SELECT id, puzzle FROM puzzles WHERE id BETWEEN ?1 AND ?2 LIMIT 2")                       \
  X(LIST, "SELECT id, game, nodes, length(puzzle) + ?8, used FROM puzzles "                          \
          "ORDER BY used DESC, number DESC LIMIT ?4")                                                \
  X(TOTALS, "SELECT puzzles, bytes FROM totals")                                                     \
  X(RECOUNT, "UPDATE totals SET (puzzles, bytes) = "                                                 \
             "(SELECT count(*), total(length(puzzle) + ?8) FROM puzzles)")                           \
  X(NEWEST, "SELECT max(used) FROM puzzles")                                                         \
  X(CLAMP, "UPDATE puzzles SET used = ?4 WHERE used > ?4 + 86400")                                   \
  /* of the ?7 used longest ago: ?4 of them, until ?5 bytes are free, and those not used since ?6 */ \
  X(SWEEP,                                                                                           \
    "DELETE FROM puzzles WHERE number IN (SELECT number FROM "                                       \
    "(SELECT number, used, row_number() OVER oldest AS nth, sum(bytes) OVER oldest - bytes AS "      \
    "before FROM (SELECT number, used, length(puzzle) + ?8 AS bytes FROM puzzles "                   \
    "ORDER BY used, number LIMIT ?7) WINDOW oldest AS (ORDER BY used, number)) "                     \
    "WHERE nth <= ?4 OR before < ?5 OR used < ?6)")

enum database_statement {
#define X(constant, sql) STATEMENT_##constant,
  DATABASE_STATEMENTS(X)
#undef X
      STATEMENT_COUNT
};

#define DATABASE_ROW_BYTES 120 /* that a row takes on disk beside its packed puzzle, about */

struct database {
  sqlite3 *handle; /* NULL where it is not open */
  sqlite3_stmt *statements[STATEMENT_COUNT];
  int version;                 /* as the file says */
  bool unchanging;             /* read without locks, as nothing can be written */
  unsigned log_pages;          /* in the log, as of the last commit */
  unsigned checkpointed_pages; /* of these, as of the last checkpoint */
};

/* What a statement is given. Borrowed while it runs. */
struct database_values {
  const struct id *id, *high;
  const void *packed;
  size_t length;
  uint64_t numbers[4];
};

/*
 * The struct is zeroed before. Opens the database to write, and makes it where there is none. One that
 * is damaged becomes `salvage.db`. One of another version becomes `puzzles.version-N.db`, where no such
 * file is (else -EEXIST). `aside` says that one of the two happened.
 */
int database_open(struct database *database, const char *folder, uint64_t damaged_max, bool *aside);

/*
 * Opens it to read, also where nothing can be written: then it is `unchanging`, and to be used for one
 * statement, as others may change it nevertheless. -ENOENT where there is none.
 */
int database_open_to_read(struct database *database, const char *folder);

/* No harm if it is not open. */
void database_close(struct database *database);

/* Has its file been moved or removed? False if it is not open. */
bool database_has_moved(struct database *database);

/* Makes a damaged database `salvage.db`, unless another process has done so, and closes it. */
void database_set_aside(struct database *database, const char *folder, uint64_t damaged_max);

/*
 * Begins a statement; database_step() runs it to its next row: 1, and 0 after the last one, or a
 * negative errno.
 */
sqlite3_stmt *database_bind(struct database *database, enum database_statement which,
                            const struct database_values *values);
int database_step(struct database *database, sqlite3_stmt *statement);

/*
 * Runs a statement. `numbers`: of its first row, set to 0 where there is none; `values` and `numbers`
 * may be NULL.
 */
int database_run(struct database *database, enum database_statement which,
                 const struct database_values *values, uint64_t numbers[2]);

/* Rows that the last statement has changed. */
uint64_t database_changes(const struct database *database);

/* Ends a transaction that has failed. */
void database_roll_back(struct database *database);

/* Forgets all, within a transaction, in less time than it would take one by one. */
int database_clear(struct database *database);

/* Gives pages that are no longer needed back to the disk, up to 1,000. */
int database_shrink(struct database *database);

/* How much the log has grown since the last checkpoint. */
unsigned database_unsaved_pages(const struct database *database);

/* Moves what was committed into the main file and syncs it; with `truncate`, leaves the log empty. */
int database_checkpoint(struct database *database, bool truncate);

#endif
