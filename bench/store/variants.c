/* Other ways to lay the same rows out, in SQLite alone: what the store's schema was chosen from. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/measure.h"
#include "bench/random.h"
#include "bench/store/measures.h"

enum { PUZZLE_BYTES = 120, LAST = 50000 };

#define COLUMNS \
  "game INTEGER NOT NULL, nodes INTEGER NOT NULL, used INTEGER NOT NULL, puzzle BLOB NOT NULL"
#define ROWID  "CREATE TABLE puzzles (id BLOB NOT NULL UNIQUE, " COLUMNS ");"
#define BY_USE "CREATE INDEX by_use ON puzzles (used);"

enum { MOVED = 1024 };
static const char new_rows[] =
    "CREATE TABLE arrivals (number INTEGER PRIMARY KEY, id BLOB NOT NULL, " COLUMNS ")";
static const char move[] =
    "INSERT INTO puzzles SELECT id, game, nodes, used, puzzle FROM arrivals WHERE true "
    "ON CONFLICT (id) DO UPDATE SET used = excluded.used; DELETE FROM arrivals";

static const struct variant {
  const char *what, *schema;
  unsigned group, page_bytes, log_pages, mapped_bytes;
} variants[] = {
    {"the store's own: groups of 256, rows moved by 1024", ROWID BY_USE, 256, 4096, 4000, 0},
    {"rows not moved, here and below", ROWID BY_USE, 256, 4096, 4000, 0},
    {"groups of 64", ROWID BY_USE, 64, 4096, 4000, 0},
    {"groups of 1024", ROWID BY_USE, 1024, 4096, 4000, 0},
    {"no index by time of use", ROWID, 256, 4096, 4000, 0},
    {"WITHOUT ROWID: rows by id",
     "CREATE TABLE puzzles (id BLOB PRIMARY KEY, " COLUMNS ") WITHOUT ROWID;" BY_USE, 256, 4096,
     4000, 0},
    {"totals kept by triggers",
     ROWID BY_USE "CREATE TABLE totals (puzzles, bytes); INSERT INTO totals VALUES (0, 0);"
                  "CREATE TRIGGER kept AFTER INSERT ON puzzles BEGIN UPDATE totals SET "
                  "puzzles = puzzles + 1, bytes = bytes + length(new.puzzle); END;",
     256, 4096, 4000, 0},
    {"pages of 2 KiB", ROWID BY_USE, 256, 2048, 8000, 0},
    {"pages of 16 KiB", ROWID BY_USE, 256, 16384, 1000, 0},
    {"a checkpoint after 1,000 pages", ROWID BY_USE, 256, 4096, 1000, 0},
    {"a checkpoint after 16,000 pages", ROWID BY_USE, 256, 4096, 16000, 0},
    {"mmap_size of 256 MiB", ROWID BY_USE, 256, 4096, 4000, 256 << 20},
};

static void execute(sqlite3 *handle, const char *sql)
{
  if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
    die("%s: %s", sql, sqlite3_errmsg(handle));
}

static sqlite3 *make(const char *path, const struct variant *variant)
{
  sqlite3 *handle;
  char sql[256];
  if (sqlite3_open(path, &handle) != SQLITE_OK)
    die("cannot make %s", path);
  snprintf(sql, sizeof sql,
           "PRAGMA page_size = %u; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
           "PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = %u; PRAGMA mmap_size = %u",
           variant->page_bytes, variant->log_pages, variant->mapped_bytes);
  execute(handle, sql);
  execute(handle, variant->schema);
  execute(handle, new_rows);
  return handle;
}

static void insert(sqlite3_stmt *statement, struct random *random, unsigned number)
{
  static const uint8_t puzzle[PUZZLE_BYTES];
  uint64_t id[4];
  for (int i = 0; i < 4; i++)
    id[i] = random_next(random);
  sqlite3_bind_blob(statement, 1, id, sizeof id, SQLITE_STATIC);
  sqlite3_bind_int(statement, 2, (int)(number / STREAM));
  sqlite3_bind_blob(statement, 3, puzzle, sizeof puzzle, SQLITE_STATIC);
  if (sqlite3_step(statement) != SQLITE_DONE)
    die("a row is refused");
  sqlite3_reset(statement);
}

/* The pace of the last rows, when the indexes are large. */
static double pace(const struct plan *plan, const struct variant *variant, const char *path)
{
  sqlite3 *handle = make(path, variant);
  sqlite3_stmt *statement;
  struct random random = {plan->seed};
  const bool moves = variant == &variants[0];
  uint64_t begin_ns = 0;
  sqlite3_prepare_v2(
      handle,
      moves ? "INSERT INTO arrivals (id, game, nodes, used, puzzle) VALUES (?1, 0, 20, ?2, ?3)"
            : "INSERT INTO puzzles (id, game, nodes, used, puzzle) VALUES (?1, 0, 20, ?2, ?3) "
              "ON CONFLICT (id) DO UPDATE SET used = excluded.used",
      -1, &statement, NULL);
  for (unsigned i = 0; i < plan->puzzles; i++) {
    if (i == plan->puzzles - LAST)
      begin_ns = wall_ns();
    if (moves && i % MOVED == 0)
      execute(handle, move);
    if (i % variant->group == 0)
      execute(handle, i > 0 ? "COMMIT; BEGIN" : "BEGIN");
    insert(statement, &random, i);
  }
  execute(handle, "COMMIT");
  double rate = LAST * 1e9 / (double)(wall_ns() - begin_ns);
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return rate;
}

void measure_variants(const struct plan *plan)
{
  char path[100];
  snprintf(path, sizeof path, "%.80s/variant.db", plan->folder);
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    figure(plan, variants[i].what, pace(plan, &variants[i], path), "/s");
    unlink(path);
  }
}
