/*
 * Forgetting: what is gone from the index goes from the disk, and whoever asked is told when it has. Where the disk
 * fails, the folder is looked at again, so that what is still there is listed, and then he is told that.
 */
#include <errno.h>
#include <stdlib.h>

#include "daemon/store/inside.h"
#include "daemon/store/table_file.h"

struct forget_job {
  struct job job;
  struct store *store;
  struct link waiters;
  struct mark mark;
  int result;                /* 0, or the first negative errno that kept something */
  struct store_waiter again; /* for what is still there */
  struct link left;          /* in the store's list of clears meanwhile */
  struct link entries;       /* of the index, to be freed */
  uint32_t first_segment;    /* that was not cleared; 0 where nothing was */
};

/* What has gone already, or with the whole folder, is forgotten. */
static int note(struct store *store, int result)
{
  store_note(store, result);
  return result == -ENOENT || result == -EBADMSG ? 0 : result;
}

static void run_forget(struct job *job)
{
  struct forget_job *forget = container_of(job, struct forget_job, job);
  struct store *store = forget->store;
  const struct mark *mark = &forget->mark;
  forget->result = note(store, puzzle_log_mark(&store->folder, &mark->place, &mark->id, 0));
  if (forget->result == 0 || store_lacked(forget->result))
    store_note(store, table_file_remove(&store->folder, &mark->id));
}

static void run_clear(struct job *job)
{
  struct forget_job *forget = container_of(job, struct forget_job, job);
  struct store *store = forget->store;
  static const enum subfolder emptied[] = {SUBFOLDER_TABLES, SUBFOLDER_DAMAGED};
  index_free_entries(&forget->entries);
  forget->result = note(store, puzzle_log_clear(&store->log, &forget->first_segment));
  for (size_t i = 0; i < sizeof emptied / sizeof emptied[0]; i++) {
    int result = note(store, store_folder_empty(&store->folder, emptied[i]));
    if (forget->result == 0)
      forget->result = result;
  }
}

/* What was solved while the files went lies in none of them, though it is meant to stay. */
void store_follow_clear(struct store *store, uint32_t first_segment)
{
  struct stored *next;
  store->first_segment = first_segment;
  for (struct stored *stored = store_first(store); stored; stored = next) {
    next = store_next(store, stored);
    if (stored->place.segment < first_segment)
      index_remove(&store->index, stored);
  }
  index_drop_segments_before(&store->index, first_segment);
  store_catch_up(store);
}

static void end(struct forget_job *forget)
{
  struct store *store = forget->store;
  struct link *link = list_pop(&forget->waiters);
  if (link) {
    struct store_waiter *waiter = container_of(link, struct store_waiter, link);
    waiter->result = forget->result;
    waiter->done(waiter);
  }
  index_free_entries(&forget->entries);
  free(forget);
  store_written(store);
}

static void looked_again(struct store_waiter *again)
{
  end(container_of(again, struct forget_job, again));
}

/* Nobody is left to be told when the store goes. */
static void end_or_look_again(struct forget_job *forget)
{
  if (forget->result == 0 || forget->store->closing) {
    end(forget);
    return;
  }
  forget->again.done = looked_again;
  store_wait(forget->store, &forget->again);
}

/* The next look at the folder finds the record. */
static void read_again(struct store *store, const struct mark *mark)
{
  struct segment_use *segment = index_segment(&store->index, mark->place.segment);
  if (segment && segment->read_bytes > mark->place.offset)
    segment->read_bytes = mark->place.offset;
  store_undrop(store, &mark->id);
}

static void forgotten(struct job *job)
{
  struct forget_job *forget = container_of(job, struct forget_job, job);
  if (store_lacked(forget->result)) {
    store_mark_again(forget->store, &forget->mark);
    forget->result = 0;
  }
  if (forget->result < 0)
    read_again(forget->store, &forget->mark);
  end_or_look_again(forget);
}

static void cleared(struct job *job)
{
  struct forget_job *forget = container_of(job, struct forget_job, job);
  struct store *store = forget->store;
  if (store_lacked(forget->result) && !store->closing) {
    list_append(&store->clears_left, &forget->left);
    return;
  }
  if (forget->result == 0 && forget->first_segment > 0)
    store_follow_clear(store, forget->first_segment);
  end_or_look_again(forget);
}

void store_clear_again(struct store *store)
{
  for (struct link *link; (link = list_pop(&store->clears_left));) {
    store->clears++;
    workers_submit(store->writers, &container_of(link, struct forget_job, left)->job);
  }
}

static struct forget_job *forget_new(struct store *store, void (*run)(struct job *job),
                                     void (*done)(struct job *job), struct store_waiter *waiter)
{
  struct forget_job *forget = calloc(1, sizeof *forget);
  if (!forget)
    return NULL;
  forget->job.run = run;
  forget->job.done = done;
  forget->store = store;
  forget->result = -ECANCELED;
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
  struct forget_job *forget = forget_new(store, run_forget, forgotten, waiter);
  if (!forget)
    return -ENOMEM;
  forget->mark = (struct mark){.id = *id, .place = stored->place};
  *bytes = stored->place.bytes + stored->table_bytes;
  store_drop(store, stored);
  store_write(store, &forget->job);
  return 0;
}

int store_clear(struct store *store, struct store_waiter *waiter)
{
  if (!store)
    return -ENOENT;
  struct forget_job *forget = forget_new(store, run_clear, cleared, waiter);
  if (!forget)
    return -ENOMEM;
  store->clears++;
  index_clear(&store->index, &forget->entries);
  store->mark_count = 0;
  store->damaged_bytes = 0;
  store->current_changed |= store->has_current;
  store->has_current = false;
  store_flush_current(store);
  store_write(store, &forget->job);
  return 0;
}
