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

enum { BACKGROUND_NICE = 10 }; /* a tenth of the share of a thread that nobody was nice to */

struct workers {
  pthread_mutex_t mutex;
  pthread_cond_t submitted;
  struct link waiting;
  struct link running;
  struct link finished;
  struct workers_load load;
  bool background;
  bool closing;
  void (*wake)(void *context);
  void *context;
  unsigned thread_count;
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

/* The threads that a job starts inherit it. Where it is not to be had, all goes on as usual. */
static void step_back(void)
{
  sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
  setpriority(PRIO_PROCESS, 0, BACKGROUND_NICE);
}

static void *work(void *argument)
{
  struct workers *workers = argument;
  if (workers->background)
    step_back();
  pthread_mutex_lock(&workers->mutex);
  while (!workers->closing) {
    if (list_empty(&workers->waiting))
      pthread_cond_wait(&workers->submitted, &workers->mutex);
    else
      run_first(workers);
  }
  pthread_mutex_unlock(&workers->mutex);
  return NULL;
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
  pthread_cond_init(&pool->submitted, NULL);

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

void workers_free(struct workers *workers)
{
  pthread_mutex_lock(&workers->mutex);
  workers->closing = true;
  for (struct link *link = workers->running.next; link != &workers->running; link = link->next)
    atomic_store(&of_link(link)->stop, true);
  pthread_cond_broadcast(&workers->submitted);
  pthread_mutex_unlock(&workers->mutex);
  for (unsigned i = 0; i < workers->thread_count; i++)
    pthread_join(workers->threads[i], NULL);

  do {
    for (struct link *link; (link = list_pop(&workers->waiting));)
      list_append(&workers->finished, link);
    workers_collect(workers);
  } while (!list_empty(&workers->waiting));
  pthread_cond_destroy(&workers->submitted);
  pthread_mutex_destroy(&workers->mutex);
  free(workers);
}

void workers_submit(struct workers *workers, struct job *job)
{
  pthread_mutex_lock(&workers->mutex);
  list_append(&workers->waiting, &job->link);
  workers->load.queued++;
  pthread_cond_signal(&workers->submitted);
  pthread_mutex_unlock(&workers->mutex);
}

void workers_collect(struct workers *workers)
{
  struct link finished;
  list_init(&finished);
  pthread_mutex_lock(&workers->mutex);
  for (struct link *link; (link = list_pop(&workers->finished));)
    list_append(&finished, link);
  pthread_mutex_unlock(&workers->mutex);
  for (struct link *link; (link = list_pop(&finished));)
    of_link(link)->done(of_link(link));
}

void workers_wake(struct workers *workers)
{
  workers->wake(workers->context);
}

struct workers_load workers_load(struct workers *workers)
{
  pthread_mutex_lock(&workers->mutex);
  struct workers_load load = workers->load;
  pthread_mutex_unlock(&workers->mutex);
  return load;
}
