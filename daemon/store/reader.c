/*
 * Finds puzzles by their ids, and lists them. An id is looked for among the puzzles that wait to be
 * written, and then on disk, so that one that is written meanwhile is seen in either.
 *
 * A puzzle that is not what its id names is as if it were not there, and the writer is told to forget
 * it. The writer is told of a damaged database, too; then the reader waits until another is in its
 * place, and tries again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/database.h"
#include "daemon/store/shared.h"
#include "solver/packed.h"

enum { TRIES = 3 };

struct reader {
  struct shared *shared;
  struct database database;
  unsigned opens; /* of the writer, as of the reader's own opening */
  struct store_job *job;
  struct unkept *unkept; /* that the job has found; referenced */
};

/* Waits until the writer has a database, or cannot have one. False where the thread shall end. */
static bool follow_writer(struct reader *reader)
{
  struct shared *shared = reader->shared;
  pthread_mutex_lock(&shared->mutex);
  while (!shared->closing && (!shared->tried || shared->damage_seen))
    pthread_cond_wait(&shared->changed[STORE_READER], &shared->mutex);
  bool goes_on = !shared->closing, anew = shared->opens != reader->opens;
  reader->opens = shared->opens;
  pthread_mutex_unlock(&shared->mutex);
  if (anew || database_has_moved(&reader->database))
    database_close(&reader->database);
  return goes_on;
}

static void report_damage(struct reader *reader)
{
  struct shared *shared = reader->shared;
  pthread_mutex_lock(&shared->mutex);
  shared->damage_seen = true;
  pthread_cond_signal(&shared->changed[STORE_WRITER]);
  pthread_mutex_unlock(&shared->mutex);
}

/*
 * Reads from a database that is neither damaged nor has moved. 0, also where there is none, or a
 * negative errno.
 */
static int read_database(struct reader *reader, int (*read)(struct reader *reader))
{
  struct shared *shared = reader->shared;
  int result = -EBADMSG;
  for (int i = 0; i < TRIES && result == -EBADMSG; i++) {
    if (!follow_writer(reader))
      return -ECANCELED;
    result = shared->folder_result;
    if (result == 0 && !reader->database.handle)
      result = database_open_to_read(&reader->database, shared->folder);
    if (result == 0)
      result = read(reader);
    bool certain = !reader->database.unchanging && !database_has_moved(&reader->database);
    if (result < 0 || reader->database.unchanging)
      database_close(&reader->database);
    if (result == -EBADMSG && certain)
      report_damage(reader);
  }
  return result == -ENOENT ? 0 : result;
}

/* Counts an id unless it is known. True where it is the first. */
static bool add_found(struct store_job *job, const struct id *id)
{
  if (job->count == 1 && memcmp(id, &job->id, sizeof *id) == 0)
    return false;
  if (job->count == 0)
    job->id = *id;
  job->count += job->count < 2;
  return job->count == 1;
}

static void find_unkept(struct reader *reader)
{
  struct store_job *job = reader->job;
  pthread_mutex_lock(&reader->shared->mutex);
  struct link *bucket = shared_bucket(reader->shared, &job->low);
  for (struct link *link = bucket->next; link != bucket; link = link->next) {
    struct unkept *unkept = container_of(link, struct store_job, bucket)->unkept;
    if (memcmp(&unkept->id, &job->low, sizeof job->low) < 0 ||
        memcmp(&unkept->id, &job->high, sizeof job->high) > 0 || !add_found(job, &unkept->id))
      continue;
    atomic_fetch_add(&unkept->references, 1);
    reader->unkept = unkept;
  }
  pthread_mutex_unlock(&reader->shared->mutex);
}

static void forget_damaged(struct reader *reader, const struct id *id)
{
  struct shared *shared = reader->shared;
  char text[ID_TEXT + 1];
  struct store_job *job = store_job_new(JOB_FORGET);
  id_format(id, text);
  shared_say(shared, STORE_LOG_WARNING, "the puzzle %s is damaged on disk: it is forgotten", text);
  if (!job)
    return;
  job->low = *id;
  pthread_mutex_lock(&shared->mutex);
  shared->damaged++;
  list_append(&shared->todo[STORE_WRITER], &job->link);
  pthread_cond_signal(&shared->changed[STORE_WRITER]);
  pthread_mutex_unlock(&shared->mutex);
}

/* Takes a row that was found on disk. */
static int take_row(struct reader *reader, sqlite3_stmt *row)
{
  struct store_job *job = reader->job;
  const void *bytes = sqlite3_column_blob(row, 0);
  struct arena *arena = NULL;
  struct id id;
  if (sqlite3_column_bytes(row, 0) != ID_BYTES)
    return 0;
  memcpy(&id, bytes, sizeof id);
  int result = 0;
  if (job->count == 0) {
    bytes = sqlite3_column_blob(row, 1);
    result = arena_unpack(bytes, (size_t)sqlite3_column_bytes(row, 1), &id, &arena);
  }
  if (result == -EBADMSG)
    forget_damaged(reader, &id);
  else if (result == 0 && add_found(job, &id))
    job->arena = arena;
  return result == -EBADMSG ? 0 : result;
}

static int find_on_disk(struct reader *reader)
{
  struct store_job *job = reader->job;
  const struct database_values range = {.id = &job->low, .high = &job->high};
  sqlite3_stmt *row = database_bind(&reader->database, STATEMENT_FIND, &range);
  int step, result = 0;
  while ((step = database_step(&reader->database, row)) == 1 && result == 0)
    result = take_row(reader, row);
  sqlite3_reset(row);
  return result < 0 ? result : step;
}

static int find(struct reader *reader)
{
  struct store_job *job = reader->job;
  int result = 0;
  find_unkept(reader);
  if (job->count == 0 || (job->count == 1 && memcmp(&job->low, &job->high, sizeof job->low) != 0))
    result = read_database(reader, find_on_disk);
  if (reader->unkept) {
    result = arena_unpack(reader->unkept->bytes, reader->unkept->length, &job->id, &job->arena);
    unkept_unref(reader->unkept);
    reader->unkept = NULL;
  }
  if (job->count == 1 && result == 0) {
    shared_touch(reader->shared, &job->id);
  } else {
    arena_free(job->arena);
    job->arena = NULL;
  }
  return result;
}

/* Makes room for one more row. */
static int grow_rows(struct store_job *job)
{
  uint64_t count = job->count;
  if ((count & (count - 1)) != 0) /* there is room up to the next power of two */
    return 0;
  struct store_row *rows = realloc(job->rows, (count > 0 ? 2 * count : 1) * sizeof *rows);
  if (!rows)
    return -ENOMEM;
  job->rows = rows;
  return 0;
}

static int list_row(struct store_job *job, sqlite3_stmt *row)
{
  const void *id = sqlite3_column_blob(row, 0);
  int result = sqlite3_column_bytes(row, 0) == ID_BYTES ? grow_rows(job) : 0;
  if (sqlite3_column_bytes(row, 0) != ID_BYTES || result < 0)
    return result;
  struct store_row *to = &job->rows[job->count++];
  memcpy(&to->id, id, ID_BYTES);
  to->game = sqlite3_column_int(row, 1) == GAME_GRAPH ? GAME_GRAPH : GAME_GRID;
  to->nodes = (uint32_t)sqlite3_column_int64(row, 2);
  to->bytes = (uint64_t)sqlite3_column_int64(row, 3);
  to->used_s = (uint64_t)sqlite3_column_int64(row, 4);
  return 0;
}

static int list_from_disk(struct reader *reader)
{
  struct store_job *job = reader->job;
  const struct database_values limit = {.numbers = {job->rows_max}};
  sqlite3_stmt *row = database_bind(&reader->database, STATEMENT_LIST, &limit);
  int step, result = 0;
  job->count = 0;
  while ((step = database_step(&reader->database, row)) == 1 && result == 0)
    result = list_row(job, row);
  sqlite3_reset(row);
  return result < 0 ? result : step;
}

static bool take_job(struct reader *reader)
{
  struct shared *shared = reader->shared;
  struct link *link = NULL;
  pthread_mutex_lock(&shared->mutex);
  while (!shared->closing && !(link = list_pop(&shared->todo[STORE_READER])))
    pthread_cond_wait(&shared->changed[STORE_READER], &shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
  if (link)
    reader->job = container_of(link, struct store_job, link);
  return link;
}

void *reader_run(void *context)
{
  struct reader reader = {.shared = context};
  while (take_job(&reader)) {
    struct link done;
    struct store_job *job = reader.job;
    job->result = job->kind == JOB_FIND ? find(&reader) : read_database(&reader, list_from_disk);
    list_init(&done);
    list_append(&done, &job->link);
    shared_finish(reader.shared, STORE_READER, &done);
  }
  database_close(&reader.database);
  return NULL;
}
