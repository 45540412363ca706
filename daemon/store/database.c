/*
 * SQLite in WAL mode: a commit appends to `puzzles.db-wal`, where it survives a SIGKILL. SQLite moves the
 * log into `puzzles.db` when it has grown to 4,000 pages, and when the last connection closes.
 *
 * The folder is locked while a database is opened or taken away, so that daemons and threads do so one
 * after another. A damaged database is called `salvage.db` until its puzzles are carried over, so that
 * this is done again after an interruption.
 */
#include "daemon/store/database.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PUZZLES "puzzles.db"
#define SALVAGE "salvage.db"
#define DAMAGED "damaged/puzzles.db"

/* A database, its log, and the log's index, which is made again when it is missing. */
static const char *const suffixes[] = {"", "-wal", "-shm"};
enum { DATABASE, LOG, LOG_INDEX, SUFFIXES, NAME_BYTES = 64, BUSY_LOOKS = 5000 };

static const char settings[] = "PRAGMA synchronous = NORMAL;\n"
                               "PRAGMA cache_size = -4000;\n"
                               "PRAGMA wal_autocheckpoint = 4000;\n"
                               "PRAGMA journal_size_limit = 16777216;\n";

/* An empty database may be damaged by a cut of power: another is made then. */
static const char schema[] =
    "PRAGMA synchronous = OFF;\n"
    "PRAGMA auto_vacuum = INCREMENTAL;\n"
    "PRAGMA journal_mode = WAL;\n"
    "PRAGMA synchronous = NORMAL;\n"
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
    "CREATE TRIGGER puzzle_kept AFTER INSERT ON puzzles BEGIN UPDATE totals SET\n"
    "  puzzles = puzzles + 1, bytes = bytes + length(new.puzzle) + " ROW_BYTES "; END;\n"
    "CREATE TRIGGER puzzle_forgotten AFTER DELETE ON puzzles BEGIN UPDATE totals SET\n"
    "  puzzles = puzzles - 1, bytes = bytes - length(old.puzzle) - " ROW_BYTES "; END;\n"
    "PRAGMA application_id = 0x434d7a7a;\n" /* "CMzz" */
    "PRAGMA user_version = 1;\n"
    "COMMIT;\n";

/* From version 1, which a new database has, too. */
static const char upgrade[] =
    "BEGIN IMMEDIATE;\n"
    "CREATE TABLE arrivals ( -- the newest, which go to the other table many at once\n"
    "  number INTEGER PRIMARY KEY, id BLOB NOT NULL, game INTEGER NOT NULL,\n"
    "  nodes INTEGER NOT NULL, used INTEGER NOT NULL, puzzle BLOB NOT NULL\n"
    ");\n"
    "DROP VIEW IF EXISTS list;\n"
    "CREATE VIEW list AS SELECT lower(hex(id)) AS id, iif(game, 'grid', 'graph') AS game, nodes,\n"
    "  length(puzzle) AS bytes, datetime(used, 'unixepoch') AS last_used\n"
    "  FROM (SELECT * FROM puzzles UNION ALL SELECT * FROM arrivals) ORDER BY used DESC;\n"
    "PRAGMA user_version = 2;\n"
    "COMMIT;\n";

enum { APPLICATION = 0x434d7a7a, VERSION = 2 };

/* Looks again each millisecond: two daemons that both write all the time leave no longer gaps. */
static int on_busy(void *unused, int looks)
{
  (void)unused;
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return looks < BUSY_LOOKS;
}

static int error_of(sqlite3 *handle, int code)
{
  int system = handle ? sqlite3_system_errno(handle) : ENOMEM;
  switch (code & 0xff) {
  case SQLITE_OK:
  case SQLITE_DONE: return 0;
  case SQLITE_ERROR:      /* a table lacks */
  case SQLITE_CONSTRAINT: /* the schema leaves no other reason */
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB: return -EBADMSG;
  case SQLITE_NOMEM: return -ENOMEM;
  case SQLITE_FULL: return -ENOSPC;
  case SQLITE_READONLY: return -EROFS;
  case SQLITE_BUSY: return -EBUSY;
  case SQLITE_CANTOPEN: /* the file is there, but the log's index can neither be found nor made */
    return system == ENOENT ? -EROFS : system > 0 ? -system : -EIO;
  default: return system > 0 ? -system : -EIO;
  }
}

/* Prepares a statement when it is asked for first. NULL, where that cannot be done. */
static sqlite3_stmt *prepare(struct database *database, const char *sql)
{
  sqlite3_stmt **statement = database->statements;
  while (*statement && strcmp(sqlite3_sql(*statement), sql) != 0)
    statement++;
  assert(statement < &database->statements[STATEMENTS_MAX - 1]);
  if (!*statement)
    sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
  return *statement;
}

sqlite3_stmt *database_query(struct database *database, const char *sql, const char *types, ...)
{
  sqlite3_stmt *statement = prepare(database, sql);
  va_list values;
  va_start(values, types);
  for (int i = 0; types[i]; i++) {
    const void *bytes = types[i] == 'n' ? NULL : va_arg(values, const void *);
    uint64_t number = types[i] == 'i' ? ID_BYTES : va_arg(values, uint64_t);
    if (bytes)
      sqlite3_bind_blob64(statement, i + 1, bytes, number, SQLITE_STATIC);
    else
      sqlite3_bind_int64(statement, i + 1, number > INT64_MAX ? INT64_MAX : (int64_t)number);
  }
  va_end(values);
  return statement;
}

int database_step(struct database *database, sqlite3_stmt *statement)
{
  int code = statement ? sqlite3_step(statement) : sqlite3_extended_errcode(database->handle);
  if (code == SQLITE_ROW)
    return 1;
  sqlite3_reset(statement);
  return error_of(database->handle, code);
}

int database_finish(struct database *database, sqlite3_stmt *statement, uint64_t numbers[2])
{
  int result = database_step(database, statement);
  for (int i = 0; i < 2 && numbers; i++) {
    int64_t number = result == 1 ? sqlite3_column_int64(statement, i) : 0;
    numbers[i] = number < 0 ? 0 : (uint64_t)number;
  }
  while (result == 1)
    result = database_step(database, statement);
  return result;
}

int folder_find(const char *given, char path[static PATH_MAX])
{
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length;
  if (given)
    length = snprintf(path, PATH_MAX, "%s", given);
  else if (cache && cache[0] == '/')
    length = snprintf(path, PATH_MAX, "%s/catmouse", cache);
  else if (home && home[0] == '/')
    length = snprintf(path, PATH_MAX, "%s/.cache/catmouse", home);
  else
    return -ENOENT;
  while (length > 1 && length < PATH_MAX && path[length - 1] == '/')
    path[--length] = '\0'; /* O_NOFOLLOW would follow a link through it */
  return length == 0 ? -ENOENT : length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* What goes wrong above matters only where the last one cannot be made. */
static int make_folders(const char *path)
{
  char part[PATH_MAX];
  int error = 0;
  strcpy(part, path);
  for (char *slash = part; (slash = strchr(slash + 1, '/')); *slash = '/') {
    *slash = '\0';
    error = mkdir(part, 0700) < 0 && errno != EEXIST ? errno : error;
  }
  if (mkdir(part, 0700) == 0 || errno == EEXIST)
    return 0;
  return error ? -error : -errno;
}

/* Returns the open folder: closing it unlocks it. */
static int lock(const char *path)
{
  struct stat status;
  int result = make_folders(path);
  if (result < 0)
    return result;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return errno == ELOOP || errno == ENOTDIR ? -EPERM : -errno;
  if (fstat(folder, &status) < 0 || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    close(folder);
    return -EPERM;
  }
  while (flock(folder, LOCK_EX) < 0 && errno == EINTR)
    ; /* where there are no such locks it goes without */
  return folder;
}

/* 0 for a plain file, -ENOENT where there is none, -EBADMSG for anything else, or another errno. */
static int check_file(int fd, const char *name)
{
  struct stat status;
  if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return -errno;
  return S_ISREG(status.st_mode) ? 0 : -EBADMSG;
}

/* Removes a database; or only what SQLite has put beside it, where `first` is LOG. */
static void remove_all(int fd, const char *name, int first)
{
  char text[NAME_BYTES];
  for (int i = first; i < SUFFIXES; i++) {
    stpcpy(stpcpy(text, name), suffixes[i]);
    unlinkat(fd, text, 0);
  }
}

/* Renames a database with its log over whatever has that name. */
static int rename_all(int fd, const char *from, const char *to)
{
  char log[NAME_BYTES], new_log[NAME_BYTES];
  remove_all(fd, to, DATABASE);
  unlinkat(fd, to, AT_REMOVEDIR);
  if (renameat(fd, from, fd, to) < 0)
    return -errno;
  stpcpy(stpcpy(log, from), suffixes[LOG]);
  stpcpy(stpcpy(new_log, to), suffixes[LOG]);
  int result = renameat(fd, log, fd, new_log) < 0 && errno != ENOENT ? -errno : 0;
  remove_all(fd, from, LOG);
  return result;
}

void database_close(struct database *database)
{
  for (int i = 0; i < STATEMENTS_MAX; i++)
    sqlite3_finalize(database->statements[i]);
  sqlite3_close(database->handle);
  *database = (struct database){.folder = database->folder};
}

bool database_has_moved(struct database *database)
{
  int moved = 0;
  if (database->handle)
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved;
}

static int execute(struct database *database, const char *sql)
{
  return error_of(database->handle, sqlite3_exec(database->handle, sql, NULL, NULL, NULL));
}

/* Makes the tables that it lacks. -EPROTO where it is of another `version`. */
static int check_version(struct database *database, uint64_t *version)
{
  uint64_t versions[2], tables[2];
  int result = database_run(
      database, versions,
      "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version", "");
  if (result == 0)
    result = database_run(database, tables, "SELECT count(*) FROM sqlite_schema", "");
  if (result < 0 || (versions[0] == APPLICATION && versions[1] == VERSION))
    return result;
  *version = versions[1];
  if (versions[0] + versions[1] + tables[0] == 0)
    result = execute(database, schema);
  else if (versions[0] != APPLICATION || versions[1] != 1)
    return -EPROTO;
  return result < 0 ? result : execute(database, upgrade);
}

static int copy_row(struct database *to, struct database *from, const char *source, int64_t number)
{
  sqlite3_stmt *insert = database_query(
      to,
      "INSERT OR IGNORE INTO puzzles (id, game, nodes, used, puzzle) VALUES (?1, ?2, ?3, ?4, ?5)",
      "");
  sqlite3_stmt *row = database_query(from, source, "n", (uint64_t)number);
  int result = 0;
  if (database_step(from, row) == 1) { /* else it cannot be read */
    for (int i = 0; i < sqlite3_column_count(row); i++)
      sqlite3_bind_value(insert, i + 1, sqlite3_column_value(row, i));
    result = database_step(to, insert);
  }
  sqlite3_reset(row);
  return result;
}

/*
 * In one transaction, so that it is done again where it is interrupted. Where pages of the table are
 * damaged a scan of it ends; an index may still say which rows there are.
 */
static int copy_rows(struct database *to, struct database *from)
{
#define ROW_OF(table)                                                      \
  "SELECT id, game, nodes, used, puzzle FROM " table " WHERE number = ?1 " \
  "AND typeof(id) = 'blob' AND length(id) = 32"
  static const char *const orders[][2] = {
      {"SELECT number FROM arrivals", ROW_OF("arrivals")},
      {"SELECT number FROM puzzles NOT INDEXED ORDER BY number", ROW_OF("puzzles")},
      {"SELECT number FROM puzzles INDEXED BY puzzles_by_use ORDER BY used", ROW_OF("puzzles")},
      {"SELECT number FROM puzzles NOT INDEXED ORDER BY number DESC", ROW_OF("puzzles")},
  };
  int step = 0, result = database_run(to, NULL, "BEGIN", "");
  for (size_t i = 0; i < sizeof orders / sizeof *orders && result == 0; i++) {
    if (i > 1 && step == 0)
      break;
    sqlite3_stmt *rows = database_query(from, orders[i][0], "");
    while ((step = database_step(from, rows)) == 1 && result == 0)
      result = copy_row(to, from, orders[i][1], sqlite3_column_int64(rows, 0));
    sqlite3_reset(rows);
  }
  if (step == -ENOMEM)
    result = step; /* with memory, more can be read */
  return result < 0 ? result : database_run(to, NULL, "COMMIT", "");
}

/* Carries over what can be read of `salvage.db`, if there is one, and moves that to damaged/. */
static int carry_over(struct database *database, int fd)
{
  struct folder *folder = database->folder;
  char file[PATH_MAX + sizeof "/" SALVAGE];
  struct database from = {0};
  uint64_t puzzles[2];
  struct stat status;
  int result = 0;
  if (fstatat(fd, SALVAGE, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return errno == ENOENT ? 0 : -errno;
  sprintf(file, "%s/" SALVAGE, folder->path);
  folder->salvages = true;
  if (S_ISREG(status.st_mode) && sqlite3_open(file, &from.handle) == SQLITE_OK)
    result = copy_rows(database, &from);
  folder->salvages = false;
  database_close(&from);
  if (result == 0)
    result = database_run(database, puzzles, "SELECT puzzles FROM totals", "");
  if (result < 0)
    return result;
  mkdirat(fd, "damaged", 0700);
  result = rename_all(fd, SALVAGE, DAMAGED);
  if ((uint64_t)status.st_size > folder->damaged_max)
    remove_all(fd, DAMAGED, DATABASE);
  folder->damaged++;
  log_line(folder->log, LOG_WARNING,
           "%s/puzzles.db was damaged: it is in damaged/ now, and the %llu puzzles that could be "
           "read were carried over",
           folder->path, (unsigned long long)puzzles[0]);
  return result;
}

/* Where a salvage has not ended, nothing was kept since: what it began with is what matters. */
static int set_aside_damaged(int fd)
{
  if (check_file(fd, SALVAGE) == -ENOENT)
    return rename_all(fd, PUZZLES, SALVAGE);
  remove_all(fd, PUZZLES, DATABASE);
  unlinkat(fd, PUZZLES, AT_REMOVEDIR);
  return 0;
}

/* Renames a database that cannot be used. 1, or a negative errno. */
static int put_aside(const struct folder *folder, int fd, int why, uint64_t version)
{
  char name[NAME_BYTES];
  if (why != -EPROTO) {
    int result = set_aside_damaged(fd);
    return result < 0 ? result : 1;
  }
  snprintf(name, sizeof name, "puzzles.version-%llu.db", (unsigned long long)version);
  if (check_file(fd, name) != -ENOENT)
    return -EEXIST;
  int result = rename_all(fd, PUZZLES, name);
  if (result == 0)
    log_line(folder->log, LOG_WARNING, "%s/puzzles.db was of another version: it is called %s now",
             folder->path, name);
  return result < 0 ? result : 1;
}

/* 1 where a database that cannot be used is out of the way now. */
static int try_to_open(struct database *database, int fd)
{
  int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  char file[PATH_MAX + sizeof "/" PUZZLES];
  uint64_t version = 0;
  int result = check_file(fd, PUZZLES);
  sprintf(file, "%s/" PUZZLES, database->folder->path);
  if (result == -ENOENT) { /* a log that was left is not that of the new one */
    if (check_file(fd, SALVAGE) == 0 && check_file(fd, SALVAGE "-wal") == -ENOENT)
      renameat(fd, PUZZLES "-wal", fd, SALVAGE "-wal"); /* it was left between two renames */
    remove_all(fd, PUZZLES, LOG);
  } else if (result == 0 && faccessat(fd, PUZZLES, W_OK, AT_EACCESS) < 0)
    result = -errno; /* SQLite would make a log that could not be written even later */
  if (result == 0 || result == -ENOENT) {
    int code = sqlite3_open_v2(file, &database->handle, flags, NULL);
    result = error_of(database->handle, code);
    if (result == 0)
      result = error_of(database->handle, sqlite3_busy_handler(database->handle, on_busy, NULL));
    if (result == 0)
      result = execute(database, settings);
    if (result == 0)
      result = check_version(database, &version);
  }
  if (result < 0)
    database_close(database);
  bool in_the_way = result == -EBADMSG || result == -EPROTO;
  return in_the_way ? put_aside(database->folder, fd, result, version) : result;
}

int database_open(struct database *database)
{
  int fd = lock(database->folder->path), result = 1;
  if (fd < 0)
    return fd;
  for (int i = 0; i < 2 && result == 1; i++)
    result = try_to_open(database, fd);
  if (result == 0)
    result = carry_over(database, fd);
  if (result < 0)
    database_close(database);
  close(fd);
  return result > 0 ? -EBADMSG : result;
}

int database_take_away(struct database *database, bool damaged)
{
  int fd = lock(database->folder->path), result = fd < 0 ? fd : 0;
  if (fd >= 0 && !database_has_moved(database) && damaged)
    result = set_aside_damaged(fd);
  else if (fd >= 0 && !database_has_moved(database) && unlinkat(fd, PUZZLES, 0) < 0)
    result = -errno;
  database_close(database); /* it has moved, so that SQLite leaves its log alone */
  if (fd >= 0)
    close(fd);
  return result;
}
