/* Without memory for a job, and once the pool is gone (`workers` is NULL), the caller's thread frees the thing. */
#include "daemon/base/free_later.h"

#include <stdlib.h>

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
