/* Lists, counters, and one wake-up for many jobs. */
#include "daemon/store/shared.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/store/folder.h"

int shared_init(struct shared *shared, const struct store_options *options)
{
  pthread_condattr_t attributes;
  pthread_cond_t *const conditions[] = {&shared->changed[0], &shared->changed[1], &shared->ended};
  struct link *const lists[] = {&shared->todo[0], &shared->todo[1], &shared->done,
                                &shared->messages};
  shared->options = *options;
  shared->folder_result = folder_find(options->folder, shared->folder);
  shared->unsaved = true;
  if (pthread_mutex_init(&shared->mutex, NULL) != 0 || pthread_condattr_init(&attributes) != 0)
    return -ENOMEM;
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    pthread_cond_init(conditions[i], &attributes);
  pthread_condattr_destroy(&attributes);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    list_init(lists[i]);
  for (int i = 0; i < BUCKETS; i++)
    list_init(&shared->buckets[i]);
  return 0;
}

void shared_deinit(struct shared *shared)
{
  struct link *link;
  for (int i = 0; i < STORE_THREADS; i++)
    list_move_all(&shared->todo[i], &shared->done);
  while ((link = list_pop(&shared->done)))
    store_job_free(container_of(link, struct store_job, link));
  while ((link = list_pop(&shared->messages)))
    free(container_of(link, struct message, link));
}

uint64_t shared_now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool shared_wait(struct shared *shared, pthread_cond_t *condition, uint64_t until_ms)
{
  const struct timespec until = {.tv_sec = (time_t)(until_ms / 1000),
                                 .tv_nsec = (long)(until_ms % 1000) * 1000000};
  return pthread_cond_timedwait(condition, &shared->mutex, &until) != ETIMEDOUT;
}

/* With the mutex, so that it does not happen after store_close(). */
static void wake(struct shared *shared)
{
  if (!shared->closed)
    shared->options.wake(shared->options.context);
}

/* Takes the puzzle of a job that is done out of memory. With the mutex. */
static void let_go(struct shared *shared, struct store_job *job, struct link *gone)
{
  if (!job->unkept)
    return;
  list_remove(&job->bucket);
  shared->unkept--;
  shared->unkept_bytes -= job->unkept->length;
  list_append(gone, &job->unkept->link);
  job->unkept = NULL;
}

void shared_finish(struct shared *shared, enum store_thread thread, struct link *jobs)
{
  struct link gone, *link;
  list_init(&gone);
  pthread_mutex_lock(&shared->mutex);
  for (link = jobs->next; link != jobs; link = link->next)
    let_go(shared, container_of(link, struct store_job, link), &gone);
  list_move_all(jobs, &shared->done);
  shared->finished[thread]++;
  wake(shared);
  pthread_mutex_unlock(&shared->mutex);
  while ((link = list_pop(&gone))) /* takes its time for large ones */
    unkept_unref(container_of(link, struct unkept, link));
}

void shared_say(struct shared *shared, enum store_severity severity, const char *format, ...)
{
  va_list arguments;
  struct message *message = malloc(sizeof *message);
  if (!message)
    return;
  message->severity = severity;
  va_start(arguments, format);
  vsnprintf(message->text, sizeof message->text, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&shared->mutex);
  list_append(&shared->messages, &message->link);
  wake(shared);
  pthread_mutex_unlock(&shared->mutex);
}

void shared_touch(struct shared *shared, const struct id *id)
{
  pthread_mutex_lock(&shared->mutex);
  if (shared->touched_count < TOUCHED_MAX)
    shared->touched[shared->touched_count++] = *id;
  if (shared->touched_count == 1 || shared->touched_count == TOUCHED_MAX / 2)
    pthread_cond_signal(&shared->changed[STORE_WRITER]);
  pthread_mutex_unlock(&shared->mutex);
}

struct link *shared_bucket(struct shared *shared, const struct id *id)
{
  return &shared->buckets[id->bytes[0] << 4 | id->bytes[1] >> 4];
}

void unkept_unref(struct unkept *unkept)
{
  if (atomic_fetch_sub(&unkept->references, 1) > 1)
    return;
  free(unkept->bytes);
  free(unkept);
}

struct store_job *store_job_new(enum job_kind kind)
{
  struct store_job *job = calloc(1, sizeof *job);
  if (!job)
    return NULL;
  job->kind = kind;
  list_init(&job->bucket);
  list_init(&job->waiting);
  job->since_ms = shared_now_ms();
  return job;
}

void store_job_free(struct store_job *job)
{
  if (job->unkept)
    unkept_unref(job->unkept);
  arena_free(job->arena);
  free(job->rows);
  free(job);
}

const char *shared_reason(int result)
{
  switch (result) {
  case 0: return "";
  case -EPERM: return "it must be a folder of this user with mode 0700";
  case -EEXIST: return "its puzzles.db is of another version, and has to be moved away";
  case -EBUSY: return "another process keeps its database locked";
  default: return strerrordesc_np(-result);
  }
}
