/*
 * Threads that run jobs, first come first served, and hand them back to the thread that owns the
 * pool. A job in the pool is the pool's until its done() is called.
 */
#ifndef CATMOUSE_DAEMON_BASE_WORKERS_H
#define CATMOUSE_DAEMON_BASE_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "daemon/base/list.h"

/* Embedded in the struct that a job is about. Zeroed but for the two functions before it is submitted. */
struct job {
  void (*run)(struct job *job);  /* on a thread of the pool */
  void (*done)(struct job *job); /* on the owner's thread, by workers_collect() or workers_free() */
  atomic_bool
      stop; /* set by the owner: run() should give up soon; nothing else happens to the job */
  struct link link; /* private to workers.c */
};

struct workers;

struct workers_load {
  unsigned running;
  unsigned queued; /* submitted, and not yet running */
};

/*
 * `wake(context)` is called from a thread of the pool whenever workers_collect() has something to do.
 * Threads are named `name`, at most 15 bytes. Those of a `background` pool give way to other threads that
 * want a processor. 0 or a negative errno.
 */
int workers_new(const char *name, unsigned threads, bool background, void (*wake)(void *context),
                void *context, struct workers **workers);

/*
 * Stops the running jobs and joins the threads. done() is called for every job left, run or not, and
 * for whatever they submit.
 */
void workers_free(struct workers *workers);

/*
 * The same for jobs that may hang: waits so many seconds for the threads at most. Else false, and the
 * pool and its jobs belong to their threads for the rest of the process; `wake` is called no more.
 */
bool workers_free_within(struct workers *workers, unsigned wait_s);

void workers_submit(struct workers *workers, struct job *job);

/* Calls done() of every finished job, which may submit others or free itself. */
void workers_collect(struct workers *workers);

struct workers_load workers_load(struct workers *workers);

/* From so many bytes on, another thread frees a block: that costs milliseconds. */
enum { FREE_LATER_BYTES = 256 << 10 };

/*
 * Calls `free_thing(thing)`, such as free(), which any thread may do, for a thing of so many bytes: at once where it
 * is small or the pool is gone (NULL), else on a thread of the pool.
 */
void free_later(struct workers *workers, void (*free_thing)(void *thing), void *thing,
                uint64_t bytes);

#endif
