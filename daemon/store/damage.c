/*
 * Where pages of the table are damaged a scan of it ends, so that its rows are then looked for by what
 * the indexes say, from both ends. Each puzzle is made and its id compared before it is copied.
 */
#include "daemon/store/damage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/folder.h"
#include "solver/packed.h"

enum { COPIES_MAX = 1000 }; /* in one transaction */

struct carrying {
  struct database *to;
  sqlite3 *from;
  sqlite3_stmt *row;
  unsigned copied;
};

static const char row_text[] = "SELECT id, puzzle, used FROM puzzles WHERE number = ?1";

/* Orders in which to look for rows. The first reaches them all unless the table itself is damaged. */
static const char *const order_texts[] = {
    "SELECT number FROM puzzles NOT INDEXED ORDER BY number",
    "SELECT number FROM puzzles NOT INDEXED ORDER BY number DESC",
    "SELECT number FROM puzzles INDEXED BY puzzles_by_use ORDER BY used",
    "SELECT number FROM puzzles INDEXED BY puzzles_by_use ORDER BY used DESC",
    "SELECT number FROM puzzles INDEXED BY sqlite_autoindex_puzzles_1 ORDER BY id",
    "SELECT number FROM puzzles INDEXED BY sqlite_autoindex_puzzles_1 ORDER BY id DESC",
};

/* A puzzle as it is to be written. */
struct packed {
  struct id id;
  struct database_values values;
};

/* Is the row that the statement stands on whole? */
static bool read_whole(sqlite3_stmt *row, struct packed *packed)
{
  struct packed_head head;
  struct arena *arena;
  const void *id = sqlite3_column_blob(row, 0), *bytes = sqlite3_column_blob(row, 1);
  size_t length = (size_t)sqlite3_column_bytes(row, 1);
  sqlite3_int64 used_s = sqlite3_column_int64(row, 2);
  if (sqlite3_column_bytes(row, 0) != ID_BYTES || !bytes || packed_peek(bytes, length, &head) < 0)
    return false;
  memcpy(&packed->id, id, ID_BYTES);
  if (arena_unpack(bytes, length, &packed->id, &arena) < 0)
    return false;
  arena_free(arena);
  packed->values = (struct database_values){
      .id = &packed->id,
      .packed = bytes,
      .length = length,
      .numbers = {head.game, head.nodes, used_s < 0 ? 0 : (uint64_t)used_s},
  };
  return true;
}

static int copy_row(struct carrying *carrying, sqlite3_int64 number)
{
  struct packed packed;
  int result = 0;
  sqlite3_bind_int64(carrying->row, 1, number);
  if (sqlite3_step(carrying->row) == SQLITE_ROW && read_whole(carrying->row, &packed))
    result = database_run(carrying->to, STATEMENT_KEEP, &packed.values, NULL);
  if (result == 0 && ++carrying->copied % COPIES_MAX == 0)
    result = database_run(carrying->to, STATEMENT_COMMIT, NULL, NULL);
  if (result == 0 && carrying->copied % COPIES_MAX == 0)
    result = database_run(carrying->to, STATEMENT_BEGIN, NULL, NULL);
  sqlite3_reset(carrying->row);
  return result;
}

/* Copies the rows that can be reached in one order. `whole` says that this reached them all. */
static int copy_in_order(struct carrying *carrying, const char *order, bool *whole)
{
  sqlite3_stmt *statement = NULL;
  int result = 0, code = sqlite3_prepare_v2(carrying->from, order, -1, &statement, NULL);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
      result = copy_row(carrying, sqlite3_column_int64(statement, 0));
    if (result < 0)
      break;
  }
  *whole = code == SQLITE_DONE;
  sqlite3_finalize(statement);
  return result;
}

static int copy_rows(struct database *to, sqlite3 *from)
{
  struct carrying carrying = {.to = to, .from = from};
  bool whole = false;
  if (sqlite3_prepare_v2(from, row_text, -1, &carrying.row, NULL) != SQLITE_OK)
    return 0; /* nothing in it can be read */
  int result = database_run(to, STATEMENT_BEGIN, NULL, NULL);
  for (size_t i = 0; i < sizeof order_texts / sizeof *order_texts && result == 0 && !whole; i++)
    result = copy_in_order(&carrying, order_texts[i], &whole);
  if (result == 0)
    result = database_run(to, STATEMENT_COMMIT, NULL, NULL);
  database_roll_back(to);
  sqlite3_finalize(carrying.row);
  return result;
}

static int copy_file(struct database *to, const char *folder)
{
  char path[PATH_MAX + sizeof "/" FOLDER_SALVAGE];
  sqlite3 *from;
  int result = 0, flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  snprintf(path, sizeof path, "%s/" FOLDER_SALVAGE, folder);
  if (sqlite3_open_v2(path, &from, flags, NULL) == SQLITE_OK) {
    sqlite3_db_config(from, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL); /* it stays as it is */
    result = copy_rows(to, from);
  }
  sqlite3_close(from);
  return result;
}

int damage_carry_over(struct database *database, const char *folder, uint64_t damaged_max,
                      uint64_t *puzzles)
{
  uint64_t totals[2];
  int locked = folder_lock(folder);
  if (locked < 0)
    return locked;
  int result = folder_check_file(locked, FOLDER_SALVAGE);
  if (result == 0)
    result = copy_file(database, folder);
  if (result == 0 || result == -EBADMSG)
    result = folder_put_away(locked, damaged_max);
  if (result == 0)
    result = database_run(database, STATEMENT_TOTALS, NULL, totals);
  if (result == 0)
    *puzzles = totals[0];
  close(locked);
  return result;
}
