/*
 * One mutex guards three lists: waiting, running and finished. A thread takes the first waiting job,
 * runs it without the mutex, appends it to the finished ones and wakes the owner if it was the first.
 * When the pool goes, what was never run is handed back too, and so is what those done() calls submit.
 */
#include "daemon/base/workers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { BACKGROUND_NICE = 10 }; /* a tenth of the processor time of an ordinary thread */

struct workers {
  pthread_mutex_t mutex;
  pthread_cond_t changed; /* a job was submitted, the pool closes, or a thread has ended */
  struct link waiting;
  struct link running;
  struct link finished;
  struct workers_load load;
  bool background;
  bool closing;
  void (*wake)(void *context);
  void *context;
  unsigned thread_count;
  unsigned working; /* threads that have not ended */
  pthread_t threads[];
};

static struct job *of_link(struct link *link)
{
  return container_of(link, struct job, link);
}

static void run_first(struct workers *workers)
{
  struct link *link = list_pop(&workers->waiting);
  list_append(&workers->running, link);
  workers->load.queued--;
  workers->load.running++;
  pthread_mutex_unlock(&workers->mutex);

  of_link(link)->run(of_link(link));

  pthread_mutex_lock(&workers->mutex);
  workers->load.running--;
  bool first = list_empty(&workers->finished);
  list_remove(link);
  list_append(&workers->finished, link);
  if (first && !workers->closing)
    workers->wake(workers->context);
}

static void *work(void *argument)
{
  struct workers *workers = argument;
  if (workers->background) { /* where the system refuses that, they run as usual */
    sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
    setpriority(PRIO_PROCESS, 0, BACKGROUND_NICE);
  }
  pthread_mutex_lock(&workers->mutex);
  while (!workers->closing) {
    if (list_empty(&workers->waiting))
      pthread_cond_wait(&workers->changed, &workers->mutex);
    else
      run_first(workers);
  }
  workers->working--;
  pthread_cond_broadcast(&workers->changed);
  pthread_mutex_unlock(&workers->mutex);
  return NULL;
}

/* Waits are timed by a clock that nobody sets. */
static void init_condition(pthread_cond_t *condition)
{
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

int workers_new(const char *name, unsigned threads, bool background, void (*wake)(void *context),
                void *context, struct workers **workers)
{
  struct workers *pool = calloc(1, sizeof(*pool) + threads * sizeof(pool->threads[0]));
  if (!pool)
    return -ENOMEM;
  pool->background = background;
  pool->wake = wake;
  pool->context = context;
  list_init(&pool->waiting);
  list_init(&pool->running);
  list_init(&pool->finished);
  pthread_mutex_init(&pool->mutex, NULL);
  init_condition(&pool->changed);

  pool->working = threads;
  for (; pool->thread_count < threads; pool->thread_count++) {
    pthread_t *thread = &pool->threads[pool->thread_count];
    int error = pthread_create(thread, NULL, work, pool);
    if (error) {
      workers_free(pool);
      return -error;
    }
    pthread_setname_np(*thread, name);
  }
  *workers = pool;
  return 0;
}

static void close_pool(struct workers *workers)
{
  pthread_mutex_lock(&workers->mutex);
  workers->closing = true;
  for (struct link *link = workers->running.next; link != &workers->running; link = link->next)
    atomic_store(&of_link(link)->stop, true);
  pthread_cond_broadcast(&workers->changed);
  pthread_mutex_unlock(&workers->mutex);
}

void workers_free(struct workers *workers)
{
  close_pool(workers);
  for (unsigned i = 0; i < workers->thread_count; i++)
    pthread_join(workers->threads[i], NULL);
  do {
    list_move_all(&workers->waiting, &workers->finished);
    workers_collect(workers);
  } while (!list_empty(&workers->waiting));
  pthread_cond_destroy(&workers->changed);
  pthread_mutex_destroy(&workers->mutex);
  free(workers);
}

bool workers_free_within(struct workers *workers, unsigned wait_s)
{
  struct timespec until;
  int result = 0;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += wait_s;
  close_pool(workers);
  pthread_mutex_lock(&workers->mutex);
  while (workers->working > 0 && result == 0)
    result = pthread_cond_timedwait(&workers->changed, &workers->mutex, &until);
  bool ended = workers->working == 0;
  pthread_mutex_unlock(&workers->mutex);
  if (ended)
    workers_free(workers);
  return ended;
}

void workers_submit(struct workers *workers, struct job *job)
{
  pthread_mutex_lock(&workers->mutex);
  list_append(&workers->waiting, &job->link);
  workers->load.queued++;
  pthread_cond_signal(&workers->changed);
  pthread_mutex_unlock(&workers->mutex);
}

void workers_collect(struct workers *workers)
{
  struct link finished;
  list_init(&finished);
  pthread_mutex_lock(&workers->mutex);
  list_move_all(&workers->finished, &finished);
  pthread_mutex_unlock(&workers->mutex);
  for (struct link *link; (link = list_pop(&finished));)
    of_link(link)->done(of_link(link));
}

struct workers_load workers_load(struct workers *workers)
{
  pthread_mutex_lock(&workers->mutex);
  struct workers_load load = workers->load;
  pthread_mutex_unlock(&workers->mutex);
  return load;
}

struct freeing {
  struct job job;
  void (*free_thing)(void *thing);
  void *thing;
};

static void freeing_run(struct job *job)
{
  struct freeing *freeing = container_of(job, struct freeing, job);
  freeing->free_thing(freeing->thing);
  freeing->free_thing = NULL;
}

/* A pool that closes hands back jobs that never ran. */
static void freeing_done(struct job *job)
{
  struct freeing *freeing = container_of(job, struct freeing, job);
  if (freeing->free_thing)
    freeing_run(job);
  free(freeing);
}

/* Without memory for a job, the caller's thread frees the thing. */
void free_later(struct workers *workers, void (*free_thing)(void *thing), void *thing,
                uint64_t bytes)
{
  struct freeing *freeing = workers && bytes >= FREE_LATER_BYTES ? malloc(sizeof *freeing) : NULL;
  if (!freeing) {
    free_thing(thing);
    return;
  }
  *freeing = (struct freeing){{.run = freeing_run, .done = freeing_done}, free_thing, thing};
  workers_submit(workers, &freeing->job);
}
