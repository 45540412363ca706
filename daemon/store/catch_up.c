/*
 * What could not be kept when it was solved: the disk failed, descriptors or memory lacked, or the folder was
 * being cleared.
 */
#include <errno.h>
#include <stdlib.h>

#include "daemon/store/inside.h"

enum { CATCH_UP_MAX = 1000 };

/* Some of what was solved meanwhile: a thousand, the most recently used. */
struct catch_up_job {
  struct job job;
  struct store *store;
  unsigned count;
  struct {
    struct solved *solved; /* referenced */
    struct place place;
    bool is_kept;
  } missing[CATCH_UP_MAX];
};

static void run_catch_up(struct job *job)
{
  struct catch_up_job *late = container_of(job, struct catch_up_job, job);
  for (unsigned i = 0; i < late->count && !atomic_load(&job->stop); i++) {
    const struct solved *solved = late->missing[i].solved;
    int result =
        store_write_record(late->store, solved->arena, &solved->node.id, &late->missing[i].place);
    late->missing[i].is_kept = result == 0;
    if (result < 0 && result != -E2BIG)
      return;
  }
}

static void catch_up_done(struct job *job)
{
  struct catch_up_job *late = container_of(job, struct catch_up_job, job);
  struct store *store = late->store;
  for (unsigned i = 0; i < late->count; i++) {
    struct solved *solved = late->missing[i].solved;
    if (late->missing[i].is_kept)
      store_add_record(store, solved, &late->missing[i].place);
    cache_unref(store->options.cache, solved);
  }
  free(late);
  store_written(store);
}

/* The last to be written is taken for the most recently used. */
void store_catch_up(struct store *store)
{
  struct cache *cache = store->options.cache;
  struct catch_up_job *late = calloc(1, sizeof *late);
  if (!late) {
    atomic_store(&store->behind, true);
    return;
  }
  struct link *at = &cache->recency;
  for (unsigned i = 0; i < CATCH_UP_MAX && at->next != &cache->recency; i++)
    at = at->next;
  for (; at != &cache->recency; at = at->prev) {
    struct solved *solved = container_of(at, struct solved, recency);
    if (!index_find(&store->index, &solved->node.id)) {
      cache_ref(store->options.cache, solved);
      late->missing[late->count++].solved = solved;
    }
  }
  if (late->count == 0 || store->closing) {
    while (late->count > 0)
      cache_unref(cache, late->missing[--late->count].solved);
    free(late);
    return;
  }
  late->job.run = run_catch_up;
  late->job.done = catch_up_done;
  late->store = store;
  store_write(store, &late->job);
}

void store_make_up(struct store *store)
{
  if (!store->loaded || !atomic_exchange(&store->behind, false))
    return;
  store->current_changed |= store->has_current;
  store_catch_up(store);
}
