/*
 * Keeping within the limits, a batch at a time. Puzzles that are too old, or too many, go with their
 * tables; tables go alone where all is too large, the least recently used first. What is damaged goes
 * before any of them. Segments are cleaned where nothing else is to do.
 */
#include <stdlib.h>

#include "daemon/store/inside.h"
#include "daemon/store/table_file.h"

enum { BATCH = 128, LOG_SHARE = 4, DAY_S = 24 * 60 * 60 };

struct victim {
  struct mark mark;
  bool whole;  /* the puzzle too, with a table of which the index may not know yet */
  bool lacked; /* it could not be marked */
};

struct sweep_job {
  struct job job;
  struct store *store;
  bool empty_damaged;
  unsigned count;
  struct victim victims[BATCH];
};

static void run(struct job *job)
{
  struct sweep_job *sweep = container_of(job, struct sweep_job, job);
  const struct store_folder *folder = &sweep->store->folder;
  if (sweep->empty_damaged)
    store_note(sweep->store, store_folder_empty(folder, SUBFOLDER_DAMAGED));
  for (unsigned i = 0; i < sweep->count; i++) {
    struct victim *victim = &sweep->victims[i];
    const struct mark *mark = &victim->mark;
    store_note(sweep->store, table_file_remove(folder, &mark->id));
    if (victim->whole)
      victim->lacked = store_lacked(
          store_note(sweep->store, puzzle_log_mark(folder, &mark->place, &mark->id, 0)));
  }
}

static void done(struct job *job)
{
  struct sweep_job *sweep = container_of(job, struct sweep_job, job);
  struct store *store = sweep->store;
  for (unsigned i = 0; i < sweep->count; i++) {
    if (sweep->victims[i].lacked)
      store_mark_again(store, &sweep->victims[i].mark);
  }
  store->sweeping = false;
  store_sweep(store);
  free(sweep);
  store_written(store);
}

static void add_victim(struct sweep_job *sweep, struct stored *stored, bool whole)
{
  sweep->victims[sweep->count++] = (struct victim){
      .mark = {.id = stored->node.id, .place = stored->place},
      .whole = whole,
  };
  if (whole)
    store_drop(sweep->store, stored);
  else
    index_set_table(&sweep->store->index, stored, 0);
}

static struct stored *oldest_puzzle(const struct index *index)
{
  return list_empty(&index->recency) ? NULL
                                     : container_of(index->recency.prev, struct stored, recency);
}

static bool must_go(const struct store *store, const struct stored *oldest, uint32_t now_s)
{
  const struct daemon_limits *limits = store->options.limits;
  uint64_t age_s = now_s > oldest->used_s ? now_s - oldest->used_s : 0;
  return (limits->store_age_days > 0 && age_s / DAY_S >= limits->store_age_days) ||
         store->index.map.count > limits->store_puzzles ||
         store->index.live_bytes > limits->store_bytes / LOG_SHARE;
}

static void choose_puzzles(struct sweep_job *sweep)
{
  struct store *store = sweep->store;
  uint32_t now_s = store_now_s();
  struct stored *oldest;
  while (sweep->count < BATCH && (oldest = oldest_puzzle(&store->index)) &&
         must_go(store, oldest, now_s))
    add_victim(sweep, oldest, true);
}

static void choose_tables(struct sweep_job *sweep)
{
  struct store *store = sweep->store;
  uint64_t max_bytes = store->options.limits->store_bytes;
  if (store_bytes(store) > max_bytes && store->damaged_bytes > 0) {
    sweep->empty_damaged = true;
    store->damaged_bytes = 0;
  }
  while (sweep->count < BATCH && store_bytes(store) > max_bytes &&
         !list_empty(&store->index.by_table))
    add_victim(sweep, container_of(store->index.by_table.prev, struct stored, by_table), false);
}

static bool sweep_files(struct store *store)
{
  struct sweep_job *sweep = calloc(1, sizeof *sweep);
  if (!sweep)
    return false;
  sweep->store = store;
  choose_puzzles(sweep);
  choose_tables(sweep);
  if (sweep->count == 0 && !sweep->empty_damaged) {
    free(sweep);
    return false;
  }
  sweep->job.run = run;
  sweep->job.done = done;
  store->sweeping = true;
  store_write(store, &sweep->job);
  return true;
}

void store_sweep(struct store *store)
{
  if (store->sweeping || store->closing || !store->loaded || atomic_load(&store->failing))
    return;
  if (!sweep_files(store))
    store_clean(store);
}
