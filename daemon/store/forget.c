/* Forgetting: what is gone from the index goes from the disk, and whoever asked is told when it has. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/store/inside.h"
#include "daemon/store/table_file.h"

struct forget_job {
  struct job job;
  struct store *store;
  struct link waiters;
  struct id id;
  struct place place;
  struct link entries; /* of the index, to be freed */
};

static void run_forget(struct job *job)
{
  struct forget_job *forget = container_of(job, struct forget_job, job);
  struct store *store = forget->store;
  store_note(store, puzzle_log_mark(&store->folder, &forget->place, &forget->id, 0));
  store_note(store, table_file_remove(&store->folder, &forget->id));
}

/* Nothing is appended to a segment while it is removed, and the next record opens a new one. */
static void run_clear(struct job *job)
{
  struct store *store = container_of(job, struct forget_job, job)->store;
  static const enum subfolder emptied[] = {SUBFOLDER_PUZZLES, SUBFOLDER_TABLES, SUBFOLDER_DAMAGED};
  index_free_entries(&container_of(job, struct forget_job, job)->entries);
  puzzle_log_leave_segment(&store->log);
  for (size_t i = 0; i < sizeof emptied / sizeof emptied[0]; i++)
    store_note(store, store_folder_empty(&store->folder, emptied[i]));
}

static void done(struct job *job)
{
  struct forget_job *forget = container_of(job, struct forget_job, job);
  struct store *store = forget->store;
  store_call(&forget->waiters);
  index_free_entries(&forget->entries);
  free(forget);
  store_written(store);
}

static struct forget_job *forget_new(struct store *store, void (*run)(struct job *job),
                                     struct store_waiter *waiter)
{
  struct forget_job *forget = calloc(1, sizeof *forget);
  if (!forget)
    return NULL;
  forget->job.run = run;
  forget->job.done = done;
  forget->store = store;
  list_init(&forget->waiters);
  list_init(&forget->entries);
  list_append(&forget->waiters, &waiter->link);
  return forget;
}

int store_forget(struct store *store, const struct id *id, struct store_waiter *waiter,
                 uint64_t *bytes)
{
  struct stored *stored = store_find(store, id);
  if (!stored)
    return -ENOENT;
  struct forget_job *forget = forget_new(store, run_forget, waiter);
  if (!forget)
    return -ENOMEM;
  forget->id = *id;
  forget->place = stored->place;
  *bytes = stored->place.bytes + stored->table_bytes;
  store_drop(store, stored);
  store_write(store, &forget->job);
  return 0;
}

int store_clear(struct store *store, struct store_waiter *waiter)
{
  if (!store)
    return -ENOENT;
  struct forget_job *forget = forget_new(store, run_clear, waiter);
  if (!forget)
    return -ENOMEM;
  index_clear(&store->index, &forget->entries);
  store->mark_count = 0;
  store->damaged_bytes = 0;
  store->current_changed |= store->has_current;
  store->has_current = false;
  store_flush_current(store);
  store_write(store, &forget->job);
  return 0;
}
