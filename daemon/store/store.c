/*
 * The loop's side: makes jobs of requests, hands them to the writer or the reader, and ends the
 * requests of jobs that are done or that take too long. A job and its request know each other while
 * somebody waits. A job whose request has ended is still done, and then freed.
 */
#include "daemon/store/store.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/database.h"
#include "daemon/store/shared.h"

enum { CLOSE_MS = 1000, STUCK_TOLD_MS = 1000 };

/* How far one of the threads has come. */
struct progress {
  uint64_t finished; /* as last seen */
  uint64_t since_ms; /* when that was seen first */
};

struct store {
  struct shared shared;
  pthread_t threads[STORE_THREADS];
  struct link keeps;                  /* jobs whose requests wait */
  struct link answers[STORE_THREADS]; /* the same, of other requests */
  struct progress progress[STORE_THREADS];
  uint64_t stuck_ms; /* since when the writer has taken too long for one thing; 0: it has not */
  bool stuck_told;   /* the log says so */
  uint64_t given_up; /* puzzles, since the log last said so */
};

static void say(struct store *store, enum store_severity severity, const char *text)
{
  store->shared.options.log(store->shared.options.context, severity, text);
}

static void destroy(struct store *store)
{
  shared_deinit(&store->shared);
  free(store);
}

/* Whoever is the last to leave a store that was closed destroys it. */
static void leave(struct shared *shared)
{
  pthread_mutex_lock(&shared->mutex);
  bool last = --shared->running == 0 && shared->closed;
  pthread_cond_signal(&shared->ended);
  pthread_mutex_unlock(&shared->mutex);
  if (last)
    destroy(container_of(shared, struct store, shared));
}

static void *run_writer(void *shared)
{
  writer_run(shared);
  leave(shared);
  return NULL;
}

static void *run_reader(void *shared)
{
  reader_run(shared);
  leave(shared);
  return NULL;
}

static int start_threads(struct store *store)
{
  static void *(*const runs[STORE_THREADS])(void *) = {run_writer, run_reader};
  struct shared *shared = &store->shared;
  sigset_t all, before;
  int result = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the loop's */
  pthread_mutex_lock(&shared->mutex);
  for (int i = 0; i < STORE_THREADS && result == 0; i++) {
    result = -pthread_create(&store->threads[i], NULL, runs[i], shared);
    if (result < 0)
      store->threads[i] = 0; /* it may have been set nevertheless */
    shared->running += result == 0;
  }
  pthread_mutex_unlock(&shared->mutex);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

int store_open(const struct store_options *options, struct store **opened)
{
  struct store *store = calloc(1, sizeof *store);
  if (!store)
    return -ENOMEM;
  int result = shared_init(&store->shared, options);
  if (result < 0) {
    free(store);
    return result;
  }
  list_init(&store->keeps);
  for (int i = 0; i < STORE_THREADS; i++)
    list_init(&store->answers[i]);
  result = start_threads(store);
  if (result < 0)
    store_close(store);
  else
    *opened = store;
  return result;
}

/* Ends the request of a job, if it still has one. What came of it goes with it. */
static void end(struct store_job *job, int result)
{
  struct store_request *request = job->request;
  list_remove(&job->waiting);
  job->request = NULL;
  if (!request)
    return;
  request->job = NULL;
  request->result = result;
  if (result == 0) {
    request->count = job->count;
    request->bytes = job->bytes;
    request->id = job->id;
    request->arena = job->arena;
    request->rows = job->rows;
    job->arena = NULL;
    job->rows = NULL;
  }
  request->done(request);
}

static void end_all(struct link *jobs, int result)
{
  while (!list_empty(jobs))
    end(container_of(jobs->next, struct store_job, waiting), result);
}

/* Waits for the threads, at most CLOSE_MS. False where they have not ended. */
static bool end_threads(struct shared *shared)
{
  uint64_t until_ms = shared_now_ms() + CLOSE_MS;
  pthread_mutex_lock(&shared->mutex);
  shared->closing = true;
  for (int i = 0; i < STORE_THREADS; i++)
    pthread_cond_signal(&shared->changed[i]);
  while (shared->running > 0 && shared_wait(shared, &shared->ended, until_ms))
    ;
  bool ended = shared->running == 0;
  pthread_mutex_unlock(&shared->mutex);
  return ended;
}

void store_close(struct store *store)
{
  if (!store)
    return;
  bool ended = end_threads(&store->shared);
  end_all(&store->keeps, -ECANCELED);
  for (int i = 0; i < STORE_THREADS; i++) {
    end_all(&store->answers[i], -ECANCELED);
    if (!store->threads[i])
      continue;
    if (ended)
      pthread_join(store->threads[i], NULL);
    else
      pthread_detach(store->threads[i]);
  }
  if (!ended)
    say(store, STORE_LOG_WARNING, "the disk of the store does not answer, so it is left as it is");
  pthread_mutex_lock(&store->shared.mutex);
  store->shared.closed = true;
  bool last = store->shared.running == 0;
  pthread_mutex_unlock(&store->shared.mutex);
  if (last)
    destroy(store);
}

static void note_progress(struct store *store, const uint64_t *finished, uint64_t now_ms)
{
  bool writes = store->progress[STORE_WRITER].finished != finished[STORE_WRITER];
  for (int i = 0; i < STORE_THREADS; i++)
    if (store->progress[i].finished != finished[i])
      store->progress[i] = (struct progress){finished[i], now_ms};
  if (writes && store->stuck_told)
    say(store, STORE_LOG_INFO, "the disk of the store answers again");
  if (writes) {
    store->stuck_ms = 0;
    store->stuck_told = false;
  }
}

static void log_messages(struct store *store, struct link *messages)
{
  struct link *link;
  while ((link = list_pop(messages))) {
    struct message *message = container_of(link, struct message, link);
    say(store, message->severity, message->text);
    free(message);
  }
}

static void tell_given_up(struct store *store)
{
  char text[128];
  if (store->given_up == 0)
    return;
  snprintf(text, sizeof text, "%llu puzzles were not kept, because too many waited for the disk",
           (unsigned long long)store->given_up);
  say(store, STORE_LOG_WARNING, text);
  store->given_up = 0;
}

void store_collect(struct store *store)
{
  struct link done, messages, *link;
  uint64_t finished[STORE_THREADS];
  if (!store)
    return;
  struct shared *shared = &store->shared;
  list_init(&done);
  list_init(&messages);
  pthread_mutex_lock(&shared->mutex);
  list_move_all(&shared->done, &done);
  list_move_all(&shared->messages, &messages);
  memcpy(finished, shared->finished, sizeof finished);
  int failing = shared->failing;
  bool empty = shared->unkept == 0;
  pthread_mutex_unlock(&shared->mutex);
  note_progress(store, finished, shared_now_ms());
  log_messages(store, &messages);
  while ((link = list_pop(&done))) {
    struct store_job *job = container_of(link, struct store_job, link);
    end(job, job->result);
    store_job_free(job);
  }
  if (failing) {
    end_all(&store->keeps, -EAGAIN);
    end_all(&store->answers[STORE_WRITER], failing);
  }
  if (empty)
    tell_given_up(store);
}

void store_cancel(struct store_request *request)
{
  if (!request->job)
    return;
  list_remove(&request->job->waiting);
  request->job->request = NULL;
  request->job = NULL;
}

/* Ends what has waited so long without any progress of its thread. True where there was such. */
static bool end_overdue(struct link *jobs, const struct progress *progress, uint64_t now_ms,
                        uint64_t limit_ms, int result)
{
  bool some = false;
  while (!list_empty(jobs)) {
    struct store_job *job = container_of(jobs->next, struct store_job, waiting);
    uint64_t since_ms = job->since_ms > progress->since_ms ? job->since_ms : progress->since_ms;
    if (now_ms < since_ms + limit_ms)
      break;
    end(job, result);
    some = true;
  }
  return some;
}

void store_expire(struct store *store, uint64_t now_ms)
{
  uint64_t finished[STORE_THREADS];
  if (!store)
    return;
  pthread_mutex_lock(&store->shared.mutex);
  memcpy(finished, store->shared.finished, sizeof finished);
  pthread_mutex_unlock(&store->shared.mutex);
  note_progress(store, finished, now_ms);
  const struct progress *writer = &store->progress[STORE_WRITER];
  if (end_overdue(&store->keeps, writer, now_ms, STORE_KEEP_WAIT_MS, -EAGAIN) && !store->stuck_ms)
    store->stuck_ms = now_ms;
  for (int i = 0; i < STORE_THREADS; i++)
    end_overdue(&store->answers[i], &store->progress[i], now_ms, STORE_ANSWER_WAIT_MS, -ETIMEDOUT);
  if (!store->stuck_ms || store->stuck_told || now_ms < store->stuck_ms + STUCK_TOLD_MS)
    return;
  say(store, STORE_LOG_WARNING,
      "the disk of the store does not answer, so solved puzzles are kept in memory until it does");
  store->stuck_told = true;
}

bool store_is_waiting(const struct store *store)
{
  return store &&
         (!list_empty(&store->keeps) || !list_empty(&store->answers[STORE_WRITER]) ||
          !list_empty(&store->answers[STORE_READER]) || (store->stuck_ms && !store->stuck_told));
}

static void wait_for_job(struct store_request *request, struct store_job *job, struct link *waiting)
{
  request->job = job;
  job->request = request;
  list_append(waiting, &job->waiting);
}

/* With the mutex. */
static void submit(struct shared *shared, struct store_job *job, enum store_thread thread)
{
  if (list_empty(&shared->todo[thread])) /* else it knows */
    pthread_cond_signal(&shared->changed[thread]);
  list_append(&shared->todo[thread], &job->link);
}

/* The job of a puzzle, or NULL without memory. */
static struct store_job *keep_job(const struct unkept *given)
{
  struct store_job *job = store_job_new(JOB_KEEP);
  struct unkept *unkept = malloc(sizeof *unkept);
  if (!job || !unkept) {
    free(job);
    free(unkept);
    return NULL;
  }
  *unkept = *given;
  atomic_init(&unkept->references, 1);
  list_init(&unkept->link);
  job->unkept = unkept;
  return job;
}

/* 0, -EAGAIN where it cannot be written now, or -ENOSPC where too much waits already. */
static int submit_keep(struct shared *shared, struct store_job *job)
{
  size_t length = job->unkept->length;
  pthread_mutex_lock(&shared->mutex);
  bool fits = shared->unkept < UNKEPT_MAX && shared->unkept_bytes + length <= UNKEPT_BYTES_MAX;
  int result = shared->failing ? -EAGAIN : 0;
  if (fits || shared->unkept == 0) {
    shared->unkept++;
    shared->unkept_bytes += length;
    list_append(shared_bucket(shared, &job->unkept->id), &job->bucket);
    submit(shared, job, STORE_WRITER);
  } else {
    result = -ENOSPC;
  }
  pthread_mutex_unlock(&shared->mutex);
  return result;
}

int store_keep(struct store *store, struct store_request *request, uint8_t *packed, size_t length,
               const struct id *id, uint32_t nodes, enum game game)
{
  const struct unkept unkept = {
      .id = *id, .nodes = nodes, .game = game, .bytes = packed, .length = length};
  bool large = store && length + DATABASE_ROW_BYTES > store->shared.options.bytes_max;
  struct store_job *job = store && !large ? keep_job(&unkept) : NULL;
  if (!job) {
    free(packed);
    return !store ? -ENOENT : large ? -E2BIG : -ENOMEM;
  }
  int result = submit_keep(&store->shared, job);
  if (result == -ENOSPC) {
    store->given_up++;
    store_job_free(job);
  } else if (result == 0 && !store->stuck_ms) {
    wait_for_job(request, job, &store->keeps);
    return 0;
  }
  return result < 0 ? result : -EAGAIN;
}

/* Asks for anything but to keep a puzzle. */
static int ask(struct store *store, struct store_request *request, struct store_job *job,
               enum store_thread thread)
{
  struct shared *shared = &store->shared;
  pthread_mutex_lock(&shared->mutex);
  int result = thread == STORE_WRITER ? shared->failing : 0;
  if (result == 0)
    submit(shared, job, thread);
  pthread_mutex_unlock(&shared->mutex);
  if (result == 0)
    wait_for_job(request, job, &store->answers[thread]);
  else
    store_job_free(job);
  return result;
}

static void set_digit(struct id *id, size_t place, unsigned digit)
{
  unsigned shift = place % 2 == 0 ? 4 : 0;
  id->bytes[place / 2] = (uint8_t)((id->bytes[place / 2] & ~(0xfu << shift)) | digit << shift);
}

int store_find(struct store *store, struct store_request *request, const char *digits)
{
  size_t count = strlen(digits);
  assert(count >= ID_PREFIX_MIN && count <= ID_TEXT && strspn(digits, "0123456789abcdef") == count);
  struct store_job *job = store ? store_job_new(JOB_FIND) : NULL;
  if (!job)
    return store ? -ENOMEM : -ENOENT;
  memset(&job->high, 0xff, sizeof job->high);
  for (size_t i = 0; i < count; i++) {
    unsigned digit = (unsigned)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    set_digit(&job->low, i, digit);
    set_digit(&job->high, i, digit);
  }
  return ask(store, request, job, STORE_READER);
}

int store_list(struct store *store, struct store_request *request, uint32_t rows_max)
{
  struct store_job *job = store ? store_job_new(JOB_LIST) : NULL;
  if (!job)
    return store ? -ENOMEM : -ENOENT;
  job->rows_max = rows_max;
  return ask(store, request, job, STORE_READER);
}

int store_forget(struct store *store, struct store_request *request, const struct id *id)
{
  struct store_job *job = store ? store_job_new(JOB_FORGET) : NULL;
  if (!job)
    return store ? -ENOMEM : -ENOENT;
  job->low = *id;
  return ask(store, request, job, STORE_WRITER);
}

int store_clear(struct store *store, struct store_request *request)
{
  struct store_job *job = store ? store_job_new(JOB_CLEAR) : NULL;
  if (!job)
    return store ? -ENOMEM : -ENOENT;
  return ask(store, request, job, STORE_WRITER);
}

void store_touch(struct store *store, const struct id *id)
{
  if (store)
    shared_touch(&store->shared, id);
}

void store_status(struct store *store, struct store_numbers *numbers)
{
  *numbers = (struct store_numbers){.folder = "", .error = ""};
  if (!store)
    return;
  struct shared *shared = &store->shared;
  const char *hangs = store->stuck_told ? "the disk does not answer" : "";
  pthread_mutex_lock(&shared->mutex);
  numbers->folder = shared->folder;
  numbers->error = shared->failing ? shared_reason(shared->failing) : hangs;
  numbers->condition = *numbers->error ? STORE_CONDITION_FAILING
                       : shared->tried ? STORE_CONDITION_ON
                                       : STORE_CONDITION_OPENING;
  numbers->puzzles = shared->puzzles;
  numbers->bytes = shared->bytes;
  numbers->unkept = shared->unkept;
  numbers->damaged = shared->damaged;
  pthread_mutex_unlock(&shared->mutex);
}

void store_drain(struct store *store)
{
  if (!store)
    return;
  pthread_mutex_lock(&store->shared.mutex);
  store->shared.draining = true;
  store->shared.gave_up = false;
  pthread_cond_signal(&store->shared.changed[STORE_WRITER]);
  pthread_mutex_unlock(&store->shared.mutex);
}

bool store_is_idle(struct store *store)
{
  if (!store)
    return true;
  struct shared *shared = &store->shared;
  pthread_mutex_lock(&shared->mutex);
  bool idle = shared->gave_up || (list_empty(&shared->todo[STORE_WRITER]) && !shared->unsaved);
  pthread_mutex_unlock(&shared->mutex);
  return idle;
}
