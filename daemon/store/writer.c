/*
 * The happy path: the writer takes the jobs that wait, writes them in one transaction, and hands them
 * back. When it has rested for a second, or the log has grown long, it moves the log into the database.
 *
 * A transaction that fails is rolled back, and its jobs wait again, before the others, until it is time
 * to try anew. A damaged database is set aside, and where the file has been moved or removed since it
 * was opened another one is made; then the same transaction is tried again at once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/store/damage.h"
#include "daemon/store/database.h"
#include "daemon/store/shared.h"

enum {
  GROUP_MAX = 1024,
  STREAM_MIN = 8, /* a group that is so large is part of a stream */
  STREAM_MS = 100,
  GATHER_US = 300,
  GROUP_BYTES_MAX = 8 << 20,
  SWEEP_MAX = 1000, /* puzzles in one transaction */
  LOG_PAGES_MAX = 4000,
  TRIES = 4,
  DOUBLED_MAX = 6,
  REST_MS = 1000,
  TOUCH_MS = 60000,
  HOUR_MS = 3600000,
  DAY_S = 86400,
};

struct writer {
  struct shared *shared;
  struct database database;
  struct link group; /* jobs in hand */
  struct id touched[TOUCHED_MAX];
  unsigned touched_count;
  unsigned failures;        /* one after another */
  bool sweeping;            /* more may be too much */
  bool recounted;           /* since it was opened */
  uint64_t newest_s;        /* when a puzzle was used last, as of the opening */
  uint64_t opened_s;        /* in CLOCK_BOOTTIME */
  uint64_t stream_until_ms; /* a stream of puzzles is taken to last until then */
  uint64_t retry_at_ms, rest_at_ms, touch_at_ms, age_at_ms; /* 0 for never */
};

static uint64_t now_s(void)
{
  time_t now = time(NULL);
  return now > 0 ? (uint64_t)now : 0;
}

static uint64_t boot_s(void)
{
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (uint64_t)now.tv_sec;
}

/*
 * What was not used since then is too old. A clock that jumps ahead while the database is open makes
 * nothing older.
 */
static uint64_t oldest_s(const struct writer *writer)
{
  uint64_t days = writer->shared->options.age_max_days, now = now_s();
  uint64_t latest = writer->newest_s + (boot_s() - writer->opened_s);
  if (writer->newest_s > 0 && now > latest)
    now = latest;
  return days == 0 || days > now / DAY_S ? 0 : now - days * DAY_S;
}

static void note_numbers(struct writer *writer)
{
  uint64_t totals[2];
  if (database_run(&writer->database, STATEMENT_TOTALS, NULL, totals) < 0)
    return;
  pthread_mutex_lock(&writer->shared->mutex);
  writer->shared->puzzles = totals[0];
  writer->shared->bytes = totals[1];
  pthread_mutex_unlock(&writer->shared->mutex);
}

static bool is_over(const struct writer *writer)
{
  const struct shared *shared = writer->shared; /* this thread alone changes the two */
  return shared->puzzles > shared->options.puzzles_max || shared->bytes > shared->options.bytes_max;
}

static void plan_rest(struct writer *writer)
{
  bool long_log = database_unsaved_pages(&writer->database) >= LOG_PAGES_MAX;
  writer->rest_at_ms = shared_now_ms() + (long_log ? 0 : REST_MS);
}

/* Can it be written? What was used in the future counts as used now. */
static int try_to_write(struct writer *writer)
{
  const struct database_values now = {.numbers = {now_s()}};
  uint64_t newest[2];
  int result = database_run(&writer->database, STATEMENT_BEGIN, NULL, NULL);
  if (result == 0)
    result = database_run(&writer->database, STATEMENT_CLAMP, &now, NULL);
  if (result == 0)
    result = database_run(&writer->database, STATEMENT_NEWEST, NULL, newest);
  writer->newest_s = newest[0];
  return result < 0 ? result : database_run(&writer->database, STATEMENT_COMMIT, NULL, NULL);
}

static int carry_over(struct writer *writer, bool aside)
{
  struct shared *shared = writer->shared;
  uint64_t puzzles;
  int result =
      damage_carry_over(&writer->database, shared->folder, shared->options.bytes_max, &puzzles);
  if (result == 0)
    shared_say(shared, STORE_LOG_WARNING,
               "%s/puzzles.db was damaged: it is in damaged/ now, and the %llu puzzles that could "
               "be read were carried over",
               shared->folder, (unsigned long long)puzzles);
  else if (result == -ENOENT && aside)
    shared_say(shared, STORE_LOG_WARNING,
               "%s/puzzles.db was of another version: it has another name now", shared->folder);
  return result == -ENOENT ? 0 : result;
}

static int open_database(struct writer *writer)
{
  struct shared *shared = writer->shared;
  bool aside;
  if (writer->database.handle)
    return 0;
  int result = shared->folder_result;
  if (result == 0)
    result = database_open(&writer->database, shared->folder, shared->options.bytes_max, &aside);
  if (result == 0)
    result = carry_over(writer, aside);
  if (result == 0)
    result = try_to_write(writer);
  if (result < 0 && result != -EBADMSG) /* it is not to be taken for open */
    database_close(&writer->database);
  if (result < 0)
    return result;
  writer->opened_s = boot_s();
  writer->age_at_ms = shared_now_ms();
  writer->recounted = false;
  pthread_mutex_lock(&shared->mutex);
  shared->opens++;
  shared->damaged += aside;
  pthread_mutex_unlock(&shared->mutex);
  note_numbers(writer);
  plan_rest(writer);
  return 0;
}

/* Is it worthwhile to stay open? Readers need what a full disk keeps from being made anew. */
static bool stays_open(int result)
{
  return result == 0 || result == -ENOSPC || result == -EDQUOT || result == -EBUSY ||
         result == -ENOMEM;
}

/* Acts on a database that neither is damaged nor has moved since it was opened. */
static int persist(struct writer *writer, int (*act)(struct writer *writer))
{
  const struct shared *shared = writer->shared;
  int result = -EBADMSG;
  for (int i = 0; i < TRIES && (result == -EBADMSG || result == -ESTALE); i++) {
    result = open_database(writer);
    if (result == 0)
      result = act(writer);
    if (result < 0)
      database_roll_back(&writer->database);
    if (result != -EBADMSG && database_has_moved(&writer->database))
      result = -ESTALE; /* nobody would find it there */
    if (result == -EBADMSG && writer->database.handle)
      database_set_aside(&writer->database, shared->folder, shared->options.bytes_max);
    if (!stays_open(result))
      database_close(&writer->database);
  }
  return result;
}

static int keep(struct writer *writer, const struct unkept *unkept)
{
  const struct database_values values = {
      .id = &unkept->id,
      .packed = unkept->bytes,
      .length = unkept->length,
      .numbers = {unkept->game, unkept->nodes, now_s()},
  };
  return database_run(&writer->database, STATEMENT_KEEP, &values, NULL);
}

static int do_job(struct writer *writer, struct store_job *job)
{
  const struct database_values forgotten = {.id = &job->low};
  uint64_t went[2] = {0};
  int result;
  if (job->kind == JOB_KEEP)
    return keep(writer, job->unkept);
  if (job->kind == JOB_FORGET)
    result = database_run(&writer->database, STATEMENT_FORGET, &forgotten, went);
  else if ((result = database_run(&writer->database, STATEMENT_TOTALS, NULL, went)) == 0)
    result = database_clear(&writer->database);
  job->count = went[0];
  job->bytes = went[1];
  return result;
}

static int write_group(struct writer *writer)
{
  struct database *database = &writer->database;
  struct link *link;
  int result = database_run(database, STATEMENT_BEGIN, NULL, NULL);
  for (link = writer->group.next; link != &writer->group && result == 0; link = link->next)
    result = do_job(writer, container_of(link, struct store_job, link));
  for (unsigned i = 0; i < writer->touched_count && result == 0; i++) {
    const struct database_values touch = {.id = &writer->touched[i], .numbers = {now_s()}};
    result = database_run(database, STATEMENT_TOUCH, &touch, NULL);
  }
  return result < 0 ? result : database_run(database, STATEMENT_COMMIT, NULL, NULL);
}

static int choose_and_sweep(struct writer *writer)
{
  const struct store_options *options = &writer->shared->options;
  struct database *database = &writer->database;
  uint64_t totals[2];
  int result = database_run(database, STATEMENT_TOTALS, NULL, totals);
  if (result < 0)
    return result;
  const struct database_values values = {
      .numbers = {
          totals[0] > options->puzzles_max ? totals[0] - options->puzzles_max : 0,
          totals[1] > options->bytes_max ? totals[1] - options->bytes_max : 0,
          oldest_s(writer),
          SWEEP_MAX,
      }};
  result = database_run(database, STATEMENT_SWEEP, &values, NULL);
  writer->sweeping = result == 0 && database_changes(database) > 0;
  return result;
}

/* Removes some of what is too much or too old; `sweeping` says that there may be more. */
static int sweep(struct writer *writer)
{
  struct database *database = &writer->database;
  int result = database_run(database, STATEMENT_BEGIN, NULL, NULL);
  if (result == 0 && is_over(writer) && !writer->recounted) { /* damage must not cost all puzzles */
    result = database_run(database, STATEMENT_RECOUNT, NULL, NULL);
    writer->recounted = true;
  }
  if (result == 0)
    result = choose_and_sweep(writer);
  if (result == 0)
    result = database_run(database, STATEMENT_COMMIT, NULL, NULL);
  return result < 0 ? result : database_shrink(database);
}

static int checkpoint(struct writer *writer)
{
  pthread_mutex_lock(&writer->shared->mutex);
  bool truncate = writer->shared->draining;
  pthread_mutex_unlock(&writer->shared->mutex);
  return database_checkpoint(&writer->database, truncate);
}

static int do_nothing(struct writer *writer)
{
  (void)writer;
  return 0;
}

static int write_jobs(struct writer *writer)
{
  struct shared *shared = writer->shared;
  int result = persist(writer, write_group);
  if (result < 0)
    return result;
  writer->touched_count = 0;
  note_numbers(writer);
  plan_rest(writer);
  pthread_mutex_lock(&shared->mutex);
  bool failed = shared->failing != 0;
  shared->failing = 0;
  pthread_mutex_unlock(&shared->mutex);
  writer->failures = 0;
  if (failed)
    shared_say(shared, STORE_LOG_INFO, "%s can be written again", shared->folder);
  shared_finish(shared, STORE_WRITER, &writer->group);
  writer->sweeping |= is_over(writer);
  return 0;
}

static int sweep_some(struct writer *writer)
{
  int result = persist(writer, sweep);
  note_numbers(writer);
  plan_rest(writer);
  return result;
}

static int rest(struct writer *writer)
{
  uint64_t now_ms = shared_now_ms();
  int result = now_ms < writer->age_at_ms ? 0 : sweep_some(writer);
  if (result == 0)
    result = persist(writer, checkpoint);
  if (now_ms >= writer->age_at_ms)
    writer->age_at_ms = now_ms + HOUR_MS;
  writer->rest_at_ms = 0;
  return result;
}

/* The reader has found damage: what can be read is carried over. */
static int recover(struct writer *writer)
{
  struct shared *shared = writer->shared;
  if (writer->database.handle)
    database_set_aside(&writer->database, shared->folder, shared->options.bytes_max);
  int result = persist(writer, do_nothing);
  pthread_mutex_lock(&shared->mutex);
  shared->damage_seen = false;
  pthread_cond_signal(&shared->changed[STORE_READER]);
  pthread_mutex_unlock(&shared->mutex);
  return result;
}

static void fail(struct writer *writer, int result)
{
  struct shared *shared = writer->shared;
  struct link *todo = &shared->todo[STORE_WRITER];
  unsigned doubled = writer->failures < DOUBLED_MAX ? writer->failures : DOUBLED_MAX;
  bool wraps = shared->options.retry_ms > (uint64_t)INT64_MAX >> doubled;
  writer->retry_at_ms =
      wraps ? UINT64_MAX : shared_now_ms() + (shared->options.retry_ms << doubled);
  writer->failures++;
  writer->rest_at_ms = 0;
  writer->sweeping = false;
  pthread_mutex_lock(&shared->mutex);
  bool first = shared->failing == 0;
  list_move_all(todo, &writer->group);
  list_move_all(&writer->group, todo);
  shared->failing = result;
  shared->gave_up = shared->draining;
  pthread_mutex_unlock(&shared->mutex);
  if (first && *shared->folder == '\0')
    shared_say(shared, STORE_LOG_WARNING,
               "nothing is kept on disk: neither --store, XDG_CACHE_HOME nor HOME names a folder");
  else if (first)
    shared_say(shared, STORE_LOG_WARNING,
               "%s cannot be written, so solved puzzles are kept in memory only: %s",
               shared->folder, shared_reason(result));
}

/* What is to be done at some time. */
struct work {
  bool recover, write, sweep, rest;
};

static void do_work(struct writer *writer, const struct work *work)
{
  int result = work->recover ? recover(writer) : 0;
  if (work->write && result == 0)
    result = write_jobs(writer);
  if (work->sweep && result == 0)
    result = sweep_some(writer);
  if (work->rest && result == 0)
    result = rest(writer);
  if (result < 0)
    fail(writer, result);
}

/* From here on, with the mutex. */
static void find_work(const struct writer *writer, struct work *work)
{
  const struct shared *shared = writer->shared;
  uint64_t now_ms = shared_now_ms();
  bool draining = shared->draining && !shared->gave_up, failing = shared->failing != 0;
  bool touches = shared->touched_count >= TOUCHED_MAX / 2 ||
                 (shared->touched_count > 0 && (draining || now_ms >= writer->touch_at_ms));
  *work = (struct work){
      .recover = shared->damage_seen,
      .sweep = !failing && writer->sweeping,
      .rest = !failing && writer->rest_at_ms > 0 && (draining || now_ms >= writer->rest_at_ms),
      .write = failing ? draining || now_ms >= writer->retry_at_ms
                       : touches || !list_empty(&shared->todo[STORE_WRITER]),
  };
}

static uint64_t sooner(uint64_t left_ms, uint64_t right_ms)
{
  return right_ms > 0 && right_ms < left_ms ? right_ms : left_ms;
}

static void wait_for_change(struct writer *writer)
{
  struct shared *shared = writer->shared;
  uint64_t now_ms = shared_now_ms(), until_ms = now_ms + HOUR_MS;
  if (shared->touched_count > 0 && writer->touch_at_ms == 0)
    writer->touch_at_ms = now_ms + TOUCH_MS;
  until_ms = sooner(until_ms, writer->touch_at_ms);
  until_ms = sooner(until_ms, shared->failing ? writer->retry_at_ms : writer->rest_at_ms);
  shared_wait(shared, &shared->changed[STORE_WRITER], until_ms);
}

/*
 * In a stream of puzzles the next ones are under way. Larger groups cost less: less for each commit,
 * and less for the pages that their rows share.
 */
static void gather(struct shared *shared)
{
  unsigned before, now = shared->unkept;
  do {
    before = now;
    pthread_mutex_unlock(&shared->mutex);
    usleep(GATHER_US);
    pthread_mutex_lock(&shared->mutex);
    now = shared->unkept;
  } while (now > before && now < GROUP_MAX && !shared->closing);
}

static void take_jobs(struct writer *writer)
{
  struct shared *shared = writer->shared;
  struct link *link;
  size_t bytes = 0;
  unsigned count = 0;
  for (; count < GROUP_MAX && bytes < GROUP_BYTES_MAX; count++) {
    if (!(link = list_pop(&shared->todo[STORE_WRITER])))
      break;
    const struct store_job *job = container_of(link, struct store_job, link);
    bytes += job->unkept ? job->unkept->length : 0;
    list_append(&writer->group, link);
  }
  if (count >= STREAM_MIN)
    writer->stream_until_ms = shared_now_ms() + STREAM_MS;
  if (writer->touched_count == 0) { /* else the last ones could not be written */
    memcpy(writer->touched, shared->touched, shared->touched_count * sizeof *shared->touched);
    writer->touched_count = shared->touched_count;
    shared->touched_count = 0;
    writer->touch_at_ms = 0;
  }
}

/* Is all written and checkpointed? Who drains wants to know. */
static void note_idleness(struct writer *writer)
{
  struct shared *shared = writer->shared;
  shared->unsaved = writer->rest_at_ms > 0 || writer->sweeping || shared->touched_count > 0 ||
                    !list_empty(&shared->todo[STORE_WRITER]);
  if (shared->draining && (shared->gave_up || !shared->unsaved) && !shared->closed)
    shared->options.wake(shared->options.context);
}

/* False where the thread shall end. */
static bool wait_for_work(struct writer *writer, struct work *work)
{
  struct shared *shared = writer->shared;
  pthread_mutex_lock(&shared->mutex);
  if (!shared->tried) { /* it has been opened, or could not be */
    shared->tried = true;
    pthread_cond_signal(&shared->changed[STORE_READER]);
  }
  note_idleness(writer);
  for (find_work(writer, work); !shared->closing; find_work(writer, work)) {
    if (work->recover || work->write || work->sweep || work->rest)
      break;
    wait_for_change(writer);
  }
  if (work->write && shared_now_ms() < writer->stream_until_ms)
    gather(shared);
  bool goes_on = !shared->closing;
  if (goes_on && work->write)
    take_jobs(writer);
  shared->unsaved |= goes_on;
  pthread_mutex_unlock(&shared->mutex);
  return goes_on;
}

void *writer_run(void *context)
{
  struct writer writer = {.shared = context};
  struct work work = {.recover = true};
  list_init(&writer.group);
  do
    do_work(&writer, &work);
  while (wait_for_work(&writer, &work));
  database_close(&writer.database);
  return NULL;
}
