/*
 * The happy path: a turn is one transaction, which does its jobs. New puzzles go to a table without
 * indexes; a turn that tidies moves them to the other one, many at once, and removes what is too much.
 * A turn fails as a whole; then the loop's thread tries the same jobs again later.
 *
 * Both threads deal with damage alike: a damaged database is taken away, and where the file has been
 * moved or removed since it was opened another one is made; then the same work begins anew at once.
 */
#include "daemon/store/disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "solver/packed.h"

enum { TRIES = 4, DAY_S = 86400 };

static const char keep_text[] =
    "INSERT INTO arrivals (id, puzzle, game, nodes, used) VALUES (?1, ?2, ?3, ?4, ?5)";

static const char move_text[] =
    "INSERT INTO puzzles (id, puzzle, game, nodes, used) "
    "SELECT id, puzzle, game, nodes, used FROM arrivals WHERE true ORDER BY number "
    "ON CONFLICT (id) DO UPDATE SET puzzle = excluded.puzzle, game = excluded.game, "
    "nodes = excluded.nodes, used = excluded.used";

static const char forget_text[] =
    "DELETE FROM puzzles WHERE id = ?1 RETURNING 1, length(puzzle) + " ROW_BYTES;

/*
 * Those not used since ?3, and the least recently used: as many as there are more than ?1, and so many
 * that, were they as large as the average, ?2 bytes would be left.
 */
static const char sweep_text[] =
    "DELETE FROM puzzles WHERE number IN ("
    "SELECT number FROM (SELECT number FROM puzzles WHERE used < ?3 LIMIT 1000) UNION "
    "SELECT number FROM (SELECT number FROM puzzles ORDER BY used LIMIT (SELECT min(1000, "
    "max(0, puzzles - ?1, iif(bytes > ?2, 1 + (bytes - ?2) * puzzles / bytes, 0))) FROM totals)))";

/* Those that have arrived and are not in the other table, too. */
#define NEW "FROM arrivals WHERE id NOT IN (SELECT id FROM puzzles)"

static const char totals_text[] =
    "SELECT puzzles + (SELECT count(DISTINCT id) " NEW "), bytes FROM totals";

static const char find_text[] =
    "SELECT id, puzzle FROM puzzles WHERE id BETWEEN ?1 AND ?2 UNION ALL "
    "SELECT id, puzzle FROM arrivals WHERE id BETWEEN ?1 AND ?2";

static const char list_text[] =
    "SELECT id, game, nodes, length(puzzle) + " ROW_BYTES ", used, number FROM puzzles UNION ALL "
    "SELECT id, game, nodes, length(puzzle) + " ROW_BYTES ", used, number + (1 << 62) " NEW
    " GROUP BY id ORDER BY 5 DESC, 6 DESC LIMIT ?1";

/* Works on a database that neither is damaged nor has moved since it was opened. */
static int persist(struct database *database, int (*work)(struct database *database, void *on),
                   void *on)
{
  int result = -EBADMSG;
  for (int i = 0; i < TRIES && (result == -EBADMSG || result == -ESTALE); i++) {
    result = database->handle ? 0 : database_open(database);
    if (result == 0)
      result = work(database, on);
    if (result < 0 && database->handle)
      database_run(database, NULL, "ROLLBACK", "");
    if (database_has_moved(database))
      result = -ESTALE; /* nobody would find it there */
    if (result == -EBADMSG && database->handle)
      database_take_away(database, true);
    if (result == -ESTALE || result == -EROFS) /* only another opening can change that */
      database_close(database);
  }
  return result;
}

static int move_arrivals(struct database *database)
{
  int result = database_run(database, NULL, move_text, "");
  return result < 0 ? result : database_run(database, NULL, "DELETE FROM arrivals", "");
}

/* Removes the file, which is quicker than to remove all rows. */
static int clear(struct database *database, uint64_t totals[2])
{
  int result = database_run(database, totals, totals_text, "");
  if (result == 0)
    result = database_run(database, NULL, "COMMIT", "");
  if (result == 0)
    result = database_take_away(database, false);
  if (result == 0)
    result = database_open(database);
  return result < 0 ? result : database_run(database, NULL, "BEGIN IMMEDIATE", "");
}

static int do_job(struct database *database, const struct store_job *job, uint64_t now_s,
                  uint64_t went[2])
{
  int result = job->kind <= JOB_TOUCH ? 0 : move_arrivals(database);
  if (result < 0)
    return result;
  switch (job->kind) {
  case JOB_KEEP:
    return database_run(database, went, keep_text, "ibnnn", &job->low, job->packed, job->length,
                        (uint64_t)job->game, (uint64_t)job->nodes, now_s);
  case JOB_TOUCH:
    return database_run(database, went,
                        "UPDATE puzzles SET used = ?2 WHERE id = ?1 AND used < ?2 - 3600", "in",
                        &job->low, now_s);
  case JOB_FORGET: return database_run(database, went, forget_text, "i", &job->low);
  default: return clear(database, went);
  }
}

/* Moves what has arrived, and removes some of what is too old or too much. */
static int tidy(struct database *database, struct turn *turn)
{
  const struct store_options *options = turn->options;
  uint64_t days = options->age_max_days;
  uint64_t oldest_s = days == 0 || days > turn->now_s / DAY_S ? 0 : turn->now_s - days * DAY_S;
  int result = move_arrivals(database);
  if (result == 0)
    result = database_run(database, NULL, sweep_text, "nnn", options->puzzles_max,
                          options->bytes_max, oldest_s);
  turn->removed = result == 0 && sqlite3_changes(database->handle) > 0;
  return result < 0 ? result : database_run(database, turn->totals, totals_text, "");
}

static int transact(struct database *database, void *on)
{
  struct turn *turn = on;
  turn->removed = false;
  int result = database_run(database, NULL, "BEGIN IMMEDIATE", "");
  for (struct link *at = turn->jobs.next; at != &turn->jobs && result == 0; at = at->next) {
    struct store_job *job = container_of(at, struct store_job, link);
    uint64_t went[2] = {0};
    result = do_job(database, job, turn->now_s, went);
    job->reply.count = went[0];
    job->reply.bytes = went[1];
  }
  if (result == 0 && turn->tidies)
    result = tidy(database, turn);
  if (result == 0)
    result = database_run(database, NULL, "COMMIT", "");
  if (result == 0 && turn->removed)
    result = database_run(database, NULL, "PRAGMA incremental_vacuum(1000)", "");
  if (result == 0 && turn->empties)
    result = database_run(database, NULL, "PRAGMA wal_checkpoint", "");
  return result;
}

void disk_write(struct job *job)
{
  struct turn *turn = container_of(job, struct turn, job);
  turn->result = persist(turn->database, transact, turn);
}

/* It is as if it were not there, until it is solved and kept again. */
static void tell_spoilt(struct folder *folder, const struct id *id)
{
  char text[ID_TEXT + 1];
  id_format(id, text);
  log_line(folder->log, LOG_WARNING, "the puzzle %s is damaged on disk", text);
  folder->damaged++;
}

/* The puzzle matters where it is the only one. */
static int find_row(struct store_job *job, sqlite3_stmt *row)
{
  struct store_request *reply = &job->reply;
  struct id id = *(const struct id *)sqlite3_column_blob(row, 0);
  if (reply->count > 0 && memcmp(&id, &reply->id, sizeof id) == 0)
    return 0;
  if (reply->count > 0) {
    reply->count = 2;
    arena_free(reply->arena);
    reply->arena = NULL;
    return 0;
  }
  const void *packed = sqlite3_column_blob(row, 1);
  int result = arena_unpack(packed, (size_t)sqlite3_column_bytes(row, 1), &id, &reply->arena);
  reply->id = id;
  reply->count = result == 0;
  if (result == -EBADMSG)
    tell_spoilt(job->database->folder, &id);
  return result == -EBADMSG ? 0 : result;
}

static int list_row(struct store_request *reply, sqlite3_stmt *row)
{
  struct store_row *to = &reply->rows[reply->count++];
  memcpy(&to->id, sqlite3_column_blob(row, 0), ID_BYTES);
  to->game = sqlite3_column_int(row, 1) == GAME_GRAPH ? GAME_GRAPH : GAME_GRID;
  to->nodes = (uint32_t)sqlite3_column_int64(row, 2);
  to->bytes = (uint64_t)sqlite3_column_int64(row, 3);
  to->used_s = (uint64_t)sqlite3_column_int64(row, 4);
  return 0;
}

/* Begins the reply anew: it may be the second try. */
static int read_rows(struct database *database, void *on)
{
  struct store_job *job = on;
  struct store_request *reply = &job->reply;
  bool finds = job->kind == JOB_FIND;
  uint64_t totals[2] = {0};
  int step, result = 0;
  arena_free(reply->arena);
  reply->arena = NULL;
  reply->count = job->unkept;
  sqlite3_stmt *row = finds ? database_query(database, find_text, "ii", &job->low, &job->high)
                            : database_query(database, list_text, "n", (uint64_t)job->rows_max);
  while ((step = database_step(database, row)) == 1 && result == 0)
    if (sqlite3_column_bytes(row, 0) == ID_BYTES)
      result = finds ? find_row(job, row) : list_row(reply, row);
  sqlite3_reset(row);
  if (result == 0)
    result = step;
  if (result == 0 && !finds)
    result = database_run(database, totals, totals_text, "");
  reply->total = totals[0];
  return result;
}

void disk_read(struct job *pool_job)
{
  struct store_job *job = container_of(pool_job, struct store_job, job);
  struct store_request *reply = &job->reply;
  if (atomic_load(&pool_job->stop))
    return; /* nobody waits for it any longer */
  bool whole = memcmp(&job->low, &job->high, sizeof job->low) == 0;
  reply->count = job->unkept;
  if (job->kind == JOB_LIST && !(reply->rows = calloc(job->rows_max, sizeof *reply->rows)))
    reply->result = -ENOMEM;
  else if (job->kind == JOB_LIST || job->unkept == 0 || (job->unkept == 1 && !whole))
    reply->result = persist(job->database, read_rows, job);
  if (reply->result == 0 && reply->count == 1 && job->packed)
    reply->result = arena_unpack(job->packed, job->length, &reply->id, &reply->arena);
}
