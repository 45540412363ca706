/*
 * Looking at the folder, on the loop: what the thread has found goes into the index a slice at a time, and then
 * whoever waited for it is called.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/scan.h"

enum { SLICE = 2048 };

/* It may be among those that have gone since it was seen: the next look tells. Nothing is swept before the first. */
static bool may_have_table(const struct scan *scan, uint64_t table_bytes)
{
  return table_bytes > 0 && (scan->whole || scan->tables_gone == scan->store->index.tables_gone);
}

static void merge(struct scan *scan, const struct found *found)
{
  struct store *store = scan->store;
  struct stored *stored = index_find(&store->index, &found->id);
  if (store_was_dropped(store, found))
    return;
  if (stored)
    store_keep_higher(store, stored, &found->place);
  else
    stored = index_add(&store->index, found);
  scan->lacked |= !stored;
  if (stored && stored->table_bytes == 0 && may_have_table(scan, found->table_bytes))
    index_set_table(&store->index, stored, found->table_bytes);
}

/* Tables that others wrote of puzzles that were known. */
static void merge_tables(struct scan *scan)
{
  struct index *index = &scan->store->index;
  for (size_t i = 0; i < scan->table_count; i++) {
    struct stored *stored = scan->tables[i].claimed ? NULL : index_find(index, &scan->tables[i].id);
    if (stored && stored->table_bytes == 0 && may_have_table(scan, scan->tables[i].bytes))
      index_set_table(index, stored, scan->tables[i].bytes);
  }
}

static void merge_segment(struct index *index, const struct segment_use *found)
{
  struct segment_use *segment = index_segment(index, found->segment);
  if (!segment)
    return;
  if (found->bytes == 0 && segment->live_bytes == 0) {
    index_drop_segment(index, found->segment);
    return;
  }
  segment->damaged |= found->damaged;
  if (segment->bytes < found->bytes)
    segment->bytes = found->bytes;
  if (segment->read_bytes < found->read_bytes)
    segment->read_bytes = found->read_bytes;
}

/* What could not be taken over is to be read again. */
static void merge_segments(struct scan *scan)
{
  if (scan->lacked)
    return;
  for (uint32_t i = 0; i < scan->segment_count; i++)
    merge_segment(&scan->store->index, &scan->segments[i]);
}

static void nothing(struct job *job)
{
  (void)job;
}

/* Who came while it was going on may ask for what was added after it had passed by. */
static void call_waiters(struct scan *scan)
{
  struct store *store = scan->store;
  if (!scan->was_read || store->closing)
    list_move_all(&store->waiting, &scan->waiters);
  store_call(&scan->waiters);
  if (!list_empty(&store->waiting) && !store->scanning)
    store_scan(store, false);
}

/* What it has seen is gone: the folder was cleared after it. */
static bool is_outdated(const struct scan *scan)
{
  return scan->clears != scan->store->clears;
}

/* A slice of it; false where there is more. */
static bool merge_found(struct scan *scan)
{
  if (is_outdated(scan))
    return true;
  for (int i = 0; i < SLICE && scan->merged < scan->found_count; i++)
    merge(scan, &scan->found[scan->merged++]);
  return scan->merged == scan->found_count;
}

static void merge_rest(struct scan *scan)
{
  struct store *store = scan->store;
  if (is_outdated(scan))
    return;
  merge_tables(scan);
  merge_segments(scan);
  store->damaged_bytes = scan->damaged_bytes;
  if (scan->whole && !store->has_current && scan->has_current) {
    store->has_current = true;
    store->current = scan->current;
  }
}

static void finish(struct scan *scan)
{
  struct store *store = scan->store;
  merge_rest(scan);
  store->loaded |= scan->was_read;
  store->scanning = false;
  store_end_drops(store);
}

static void scan_free(struct scan *scan)
{
  free(scan->segments);
  free(scan->found);
  free(scan->tables);
  free(scan);
}

static void done(struct job *job)
{
  struct scan *scan = container_of(job, struct scan, job);
  struct store *store = scan->store;
  if (!merge_found(scan) && !store->closing) {
    job->run = nothing;
    workers_submit(store->readers, job);
    return;
  }
  finish(scan);
  if (scan->reopen && scan->was_read)
    store_catch_up(store);
  call_waiters(scan);
  scan_free(scan);
  store_sweep(store);
  store->options.released(store->options.context);
}

/* What is known of the segments, so that they are read from there on. */
static void copy_segments(struct scan *scan, const struct index *index)
{
  if (index->segment_count == 0)
    return;
  scan->segments = malloc(index->segment_count * sizeof *scan->segments);
  if (!scan->segments)
    return;
  memcpy(scan->segments, index->segments, index->segment_count * sizeof *scan->segments);
  scan->segment_count = index->segment_count;
}

static void forget_gone(struct scan *scan)
{
  struct store *store = scan->store;
  index_clear(&store->index, &scan->entries);
  store->mark_count = 0;
  store->damaged_bytes = 0;
  store->loaded = false;
}

void store_scan(struct store *store, bool reopen)
{
  struct scan *scan = calloc(1, sizeof *scan);
  if (!scan) {
    atomic_store(&store->failing, ENOMEM);
    store_was_opened(store);
    store_call(&store->waiting);
    return;
  }
  scan->job.run = scan_run;
  scan->job.done = done;
  scan->store = store;
  scan->reopen = reopen;
  list_init(&scan->entries);
  list_init(&scan->waiters);
  list_move_all(&store->waiting, &scan->waiters);
  if (reopen && store_folder_is_gone(&store->folder))
    forget_gone(scan);
  scan->clears = store->clears;
  scan->tables_gone = store->index.tables_gone;
  scan->whole = !store->loaded;
  copy_segments(scan, &store->index);
  store->scanning = true;
  workers_submit(store->writers, &scan->job);
}
