/*
 * SQLite in WAL mode: a commit appends to `puzzles.db-wal`, where it survives a SIGKILL; a checkpoint
 * moves it into `puzzles.db`. All opening is done under the folder's lock, because it may rename and
 * remove files that another opening would use.
 */
#include "daemon/store/database.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/folder.h"

#define APPLICATION_ID 0x434d7a7a /* "CMzz" */
#define SCHEMA_VERSION 1

enum { BUSY_TRIES = 5000 };

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

#define TRIGGERS                                                                            \
  "CREATE TRIGGER puzzle_kept AFTER INSERT ON puzzles BEGIN\n"                              \
  "  UPDATE totals SET puzzles = puzzles + 1,\n"                                            \
  "    bytes = bytes + length(new.puzzle) + " TEXT(                                         \
      DATABASE_ROW_BYTES) ";\n"                                                             \
                          "END;\n"                                                          \
                          "CREATE TRIGGER puzzle_forgotten AFTER DELETE ON puzzles BEGIN\n" \
                          "  UPDATE totals SET puzzles = puzzles - 1,\n"                    \
                          "    bytes = bytes - length(old.puzzle) - " TEXT(                 \
                              DATABASE_ROW_BYTES) ";\n"                                     \
                                                  "END;\n"

static const char pragmas_to_write[] = "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000; "
                                       "PRAGMA journal_size_limit = 16777216";
static const char pragmas_to_read[] = "PRAGMA query_only = ON; PRAGMA cache_size = -1000";

static const char schema[] =
    "PRAGMA auto_vacuum = INCREMENTAL;\n"
    "PRAGMA journal_mode = WAL;\n"
    "BEGIN IMMEDIATE;\n"
    "CREATE TABLE puzzles (\n"
    "  number INTEGER PRIMARY KEY, -- in the order in which they were kept\n"
    "  id BLOB NOT NULL UNIQUE,    -- 32 bytes: BLAKE2b-256 of the canonical form\n"
    "  game INTEGER NOT NULL,      -- 0 graph, 1 grid\n"
    "  nodes INTEGER NOT NULL,\n"
    "  used INTEGER NOT NULL,      -- when it was last asked for, seconds since 1970, to the hour\n"
    "  puzzle BLOB NOT NULL        -- the canonical form, packed\n"
    ");\n"
    "CREATE INDEX puzzles_by_use ON puzzles (used);\n"
    "CREATE TABLE totals (puzzles INTEGER NOT NULL, bytes INTEGER NOT NULL); -- one row\n"
    "INSERT INTO totals VALUES (0, 0);\n"
    "CREATE VIEW list AS SELECT lower(hex(id)) AS id, iif(game, 'grid', 'graph') AS game, nodes,\n"
    "  length(puzzle) AS bytes, datetime(used, 'unixepoch') AS last_used\n"
    "  FROM puzzles ORDER BY used DESC;\n" TRIGGERS "PRAGMA application_id = " TEXT(
        APPLICATION_ID) ";\n"
                        "PRAGMA user_version = " TEXT(SCHEMA_VERSION) ";\n"
                                                                      "COMMIT;\n";

static const char clear[] = "DROP TRIGGER puzzle_kept;\n"
                            "DROP TRIGGER puzzle_forgotten;\n" /* row by row would take minutes */
                            "DELETE FROM puzzles;\n"
                            "UPDATE totals SET puzzles = 0, bytes = 0;\n" TRIGGERS;

static const char *const statement_texts[] = {
#define X(constant, sql) sql,
    DATABASE_STATEMENTS(X)
#undef X
};

static int error_of(sqlite3 *handle, int code)
{
  int system = handle ? sqlite3_system_errno(handle) : ENOMEM;
  if (code == SQLITE_READONLY_DBMOVED)
    return -ESTALE;
  switch (code & 0xff) {
  case SQLITE_OK:
  case SQLITE_ROW:
  case SQLITE_DONE: return 0;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB: return -EBADMSG;
  case SQLITE_NOMEM: return -ENOMEM;
  case SQLITE_FULL: return -ENOSPC;
  case SQLITE_READONLY: return -EROFS;
  case SQLITE_BUSY: return -EBUSY;
  case SQLITE_TOOBIG: return -E2BIG;
  case SQLITE_CONSTRAINT: return -EBADMSG; /* the schema leaves no other reason */
  case SQLITE_CANTOPEN: /* the file is there, but the log's index can neither be found nor made */
    return system == ENOENT ? -EROFS : system > 0 ? -system : -EIO;
  case SQLITE_IOERR:
  case SQLITE_PERM: return system > 0 ? -system : -EIO;
  default: return -EIO;
  }
}

static int execute(sqlite3 *handle, const char *sql)
{
  return error_of(handle, sqlite3_exec(handle, sql, NULL, NULL, NULL));
}

/* Others commit within milliseconds, so that SQLite's own ever longer pauses would only lose time. */
static int on_busy(void *context, int tries)
{
  (void)context;
  usleep(1000);
  return tries < BUSY_TRIES;
}

static int on_committed(void *context, sqlite3 *handle, const char *name, int pages)
{
  (void)handle, (void)name;
  ((struct database *)context)->log_pages = (unsigned)pages;
  return SQLITE_OK;
}

/* Is it of this version? -EPROTO where it is of another, -ENOENT where it is empty. */
static int check_version(struct database *database)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(
      database->handle,
      "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) "
      "FROM pragma_application_id, pragma_user_version",
      -1, &statement, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_step(statement);
  int result = error_of(database->handle, code);
  int application = sqlite3_column_int(statement, 0), tables = sqlite3_column_int(statement, 2);
  database->version = sqlite3_column_int(statement, 1);
  sqlite3_finalize(statement);
  if (result < 0 || (application == APPLICATION_ID && database->version == SCHEMA_VERSION))
    return result;
  return application == 0 && database->version == 0 && tables == 0 ? -ENOENT : -EPROTO;
}

static int prepare(struct database *database)
{
  int code = SQLITE_OK;
  for (int i = 0; i < STATEMENT_COUNT && code == SQLITE_OK; i++)
    code = sqlite3_prepare_v3(database->handle, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                              &database->statements[i], NULL);
  return code == SQLITE_ERROR ? -EBADMSG : error_of(database->handle, code); /* tables lack */
}

static int set_up(struct database *database, bool writes)
{
  sqlite3_busy_handler(database->handle, on_busy, NULL);
  int result = execute(database->handle, writes ? pragmas_to_write : pragmas_to_read);
  if (result == 0)
    result = check_version(database);
  if (result == -ENOENT && writes)
    result = execute(database->handle, schema);
  if (result == 0)
    result = prepare(database);
  sqlite3_wal_hook(database->handle, on_committed, database); /* no checkpoints within a commit */
  return result;
}

static int open_file(struct database *database, const char *name, int flags, bool writes)
{
  flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  int code = sqlite3_open_v2(name, &database->handle, flags, NULL);
  int result = code == SQLITE_OK ? set_up(database, writes) : error_of(database->handle, code);
  int version = database->version;
  if (result < 0)
    database_close(database);
  database->version = version;
  return result;
}

/* The path of the database without links: with SQLITE_OPEN_NOFOLLOW there must not be any. */
static int find_file(const char *folder, char path[static PATH_MAX])
{
  char *real = realpath(folder, NULL);
  if (!real)
    return -errno;
  int length = snprintf(path, PATH_MAX, "%s/" FOLDER_DATABASE, real);
  free(real);
  return length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* Where the file has vanished, its log must not be taken for that of the new one. */
static int open_to_write(struct database *database, int folder, const char *path)
{
  int result = folder_check_file(folder, FOLDER_DATABASE);
  if (result == -ENOENT)
    folder_remove_rest(folder, FOLDER_DATABASE);
  else if (result < 0)
    return result;
  else
    folder_allow_rest(folder, FOLDER_DATABASE);
  return open_file(database, path,
                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, true);
}

/* Another one may still wait to be salvaged, where that was interrupted. */
static int make_salvage(int folder, uint64_t damaged_max)
{
  int result = folder_put_away(folder, damaged_max);
  return result < 0 ? result : folder_rename(folder, FOLDER_DATABASE, FOLDER_SALVAGE);
}

static int rename_version(int folder, int version)
{
  char name[64];
  snprintf(name, sizeof name, "puzzles.version-%d.db", version);
  if (folder_check_file(folder, name) != -ENOENT)
    return -EEXIST;
  return folder_rename(folder, FOLDER_DATABASE, name);
}

int database_open(struct database *database, const char *folder, uint64_t damaged_max, bool *aside)
{
  char path[PATH_MAX];
  int locked = folder_lock(folder);
  if (locked < 0)
    return locked;
  int result = find_file(folder, path);
  if (result == 0)
    result = open_to_write(database, locked, path);
  *aside = result == -EBADMSG || result == -EPROTO;
  if (result == -EBADMSG)
    result = make_salvage(locked, damaged_max);
  else if (result == -EPROTO)
    result = rename_version(locked, database->version);
  if (*aside && result == 0)
    result = open_to_write(database, locked, path);
  close(locked);
  return result;
}

/*
 * For a folder in which nothing can be written: SQLite reads the file as it is, without the log and its
 * index.
 */
static int open_unchanging(struct database *database, const char *path)
{
  char uri[3 * PATH_MAX + 32], *end = stpcpy(uri, "file:");
  for (; *path; path++)
    end += sprintf(end, isalnum((unsigned char)*path) || strchr("/._-", *path) ? "%c" : "%%%02X",
                   (unsigned char)*path);
  strcpy(end, "?immutable=1");
  int result = open_file(database, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, false);
  database->unchanging = true;
  return result;
}

int database_open_to_read(struct database *database, const char *folder)
{
  char path[PATH_MAX];
  int locked = folder_lock(folder);
  if (locked < 0)
    return locked;
  int result = find_file(folder, path);
  if (result == 0)
    result = folder_check_file(locked, FOLDER_DATABASE);
  if (result == 0) {
    result = open_file(database, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, false);
    if (result < 0 && result != -EBADMSG && result != -EPROTO)
      result = open_unchanging(database, path);
  }
  close(locked);
  return result;
}

void database_close(struct database *database)
{
  for (int i = 0; i < STATEMENT_COUNT; i++)
    sqlite3_finalize(database->statements[i]);
  sqlite3_close(database->handle);
  *database = (struct database){0};
}

bool database_has_moved(struct database *database)
{
  int moved = 0;
  if (database->handle)
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved;
}

void database_set_aside(struct database *database, const char *folder, uint64_t damaged_max)
{
  int locked = folder_lock(folder);
  if (locked >= 0 && !database_has_moved(database))
    make_salvage(locked, damaged_max);
  database_close(database); /* it has moved, so that SQLite leaves its log alone */
  if (locked >= 0)
    close(locked);
}

static void bind_number(sqlite3_stmt *statement, int place, uint64_t number)
{
  sqlite3_bind_int64(statement, place, number > INT64_MAX ? INT64_MAX : (sqlite3_int64)number);
}

/* SQLite leaves alone what a statement has no place for. */
sqlite3_stmt *database_bind(struct database *database, enum database_statement which,
                            const struct database_values *values)
{
  sqlite3_stmt *statement = database->statements[which];
  if (values->id)
    sqlite3_bind_blob(statement, 1, values->id->bytes, ID_BYTES, SQLITE_STATIC);
  if (values->high)
    sqlite3_bind_blob(statement, 2, values->high->bytes, ID_BYTES, SQLITE_STATIC);
  if (values->packed)
    sqlite3_bind_blob64(statement, 3, values->packed, values->length, SQLITE_STATIC);
  for (int i = 0; i < 4; i++)
    bind_number(statement, 4 + i, values->numbers[i]);
  bind_number(statement, 8, DATABASE_ROW_BYTES);
  return statement;
}

int database_step(struct database *database, sqlite3_stmt *statement)
{
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    return 1;
  sqlite3_reset(statement);
  return error_of(database->handle, code);
}

int database_run(struct database *database, enum database_statement which,
                 const struct database_values *values, uint64_t numbers[2])
{
  static const struct database_values none = {0};
  sqlite3_stmt *statement = database_bind(database, which, values ? values : &none);
  int result = database_step(database, statement);
  for (int i = 0; i < 2 && numbers; i++) {
    sqlite3_int64 number = result == 1 ? sqlite3_column_int64(statement, i) : 0;
    numbers[i] = number < 0 ? 0 : (uint64_t)number;
  }
  while (result == 1)
    result = database_step(database, statement);
  return result;
}

uint64_t database_changes(const struct database *database)
{
  return (uint64_t)sqlite3_changes64(database->handle);
}

void database_roll_back(struct database *database)
{
  if (database->handle && !sqlite3_get_autocommit(database->handle))
    database_run(database, STATEMENT_ROLLBACK, NULL, NULL);
}

int database_clear(struct database *database)
{
  return execute(database->handle, clear);
}

int database_shrink(struct database *database)
{
  return execute(database->handle, "PRAGMA incremental_vacuum(1000)");
}

unsigned database_unsaved_pages(const struct database *database)
{
  bool anew = database->log_pages < database->checkpointed_pages;
  return database->log_pages - (anew ? 0 : database->checkpointed_pages);
}

int database_checkpoint(struct database *database, bool truncate)
{
  int mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
  sqlite3_busy_handler(database->handle, NULL, NULL); /* what others still read can wait */
  int code = sqlite3_wal_checkpoint_v2(database->handle, NULL, mode, NULL, NULL);
  sqlite3_busy_handler(database->handle, on_busy, NULL);
  database->checkpointed_pages = database->log_pages;
  return code == SQLITE_BUSY ? 0 : error_of(database->handle, code);
}
