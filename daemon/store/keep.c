/*
 * Keeping: the record of a solved puzzle at once, its table later where that pays. A table waits for its
 * turn with a reference to it, so what waits is bounded; one too many is not kept, and solved again.
 */
#include <errno.h>
#include <stdlib.h>

#include "daemon/store/inside.h"
#include "daemon/store/rule.h"
#include "daemon/store/table_file.h"

enum { WAITING_SHARE = 4, WAITING_MAX = 4096 };

/* One that is too large for a record will always be. */
static int note_lack(struct store *store, int result)
{
  if (result < 0 && result != -E2BIG)
    atomic_store(&store->behind, true);
  return store_note(store, result);
}

int store_write_record(struct store *store, const struct arena *arena, const struct id *id,
                       struct place *place)
{
  store_wait_until_opened(store);
  int failing = atomic_load(&store->failing);
  if (failing)
    return -failing;
  return note_lack(store, puzzle_log_append(&store->log, arena, id, store_now_s(), place));
}

int store_write_puzzle(struct store *store, const struct arena *arena, const struct id *id,
                       struct place *place)
{
  int result = store ? store_write_record(store, arena, id, place) : -ENOENT;
  if (result == 0)
    note_lack(store, current_write(&store->folder, id));
  return result;
}

bool store_still_has(struct store *store, const struct id *id, const struct place *place)
{
  return puzzle_log_mark(&store->folder, place, id, store_now_s()) == 0;
}

static void add_puzzle(struct store *store, const struct solved *solved, const struct place *place)
{
  const struct found found = {
      .id = solved->node.id,
      .place = *place,
      .nodes = solved->arena->nodes,
      .game = solved->arena->game,
      .used_s = store_now_s(),
  };
  store->log_dirty = true;
  struct stored *known = index_find(&store->index, &found.id);
  if (known)
    store_keep_higher(store, known, place);
  else
    index_add(&store->index, &found);
}

struct keep_job {
  struct job job;
  struct store *store;
  struct solved *solved; /* referenced */
  uint64_t bytes;        /* of the file */
  int result;
};

static void run(struct job *job)
{
  struct keep_job *keep = container_of(job, struct keep_job, job);
  const struct table_file file = {
      .id = keep->solved->node.id,
      .game = keep->solved->arena->game,
      .solve_us = keep->solved->solve_us,
  };
  if (atomic_load(&keep->store->failing))
    return;
  keep->result = store_note(
      keep->store, table_file_write(&keep->store->folder, &file, keep->solved->table, &job->stop));
}

static void done(struct job *job)
{
  struct keep_job *keep = container_of(job, struct keep_job, job);
  struct store *store = keep->store;
  struct stored *stored = index_find(&store->index, &keep->solved->node.id);
  if (keep->result == 0) {
    store->tables_written++;
    if (stored)
      index_set_table(&store->index, stored, keep->bytes);
    store_sweep(store);
  }
  store->writing_bytes -= keep->bytes;
  store->tables_waiting--;
  cache_unref(store->options.cache, keep->solved);
  free(keep);
  store_written(store);
}

/* The loop passes over all that wait when the cache is cleared. */
static bool may_wait(const struct store *store, uint64_t bytes)
{
  return store->tables_waiting < WAITING_MAX &&
         (store->writing_bytes == 0 ||
          store->writing_bytes + bytes <= store->options.limits->memory_bytes / WAITING_SHARE);
}

static bool should_keep(const struct store *store, const struct solved *solved, uint64_t bytes)
{
  const struct daemon_limits *limits = store->options.limits;
  return table_pays(solved->solve_us, bytes, limits->store_read_rate) &&
         bytes <= limits->store_bytes && table_file_can_hold(solved->table) &&
         may_wait(store, bytes);
}

static void keep_table(struct store *store, struct solved *solved)
{
  uint64_t bytes = table_file_bytes(solved->table);
  if (!should_keep(store, solved, bytes))
    return;
  struct keep_job *keep = calloc(1, sizeof *keep);
  if (!keep)
    return;
  keep->job.run = run;
  keep->job.done = done;
  keep->store = store;
  keep->solved = solved;
  keep->bytes = bytes;
  keep->result = -ECANCELED;
  store->writing_bytes += bytes;
  store->tables_waiting++;
  cache_ref(store->options.cache, solved);
  store_write(store, &keep->job);
}

void store_add_record(struct store *store, struct solved *solved, const struct place *place)
{
  if (place && place->segment < store->first_segment) {
    store_catch_up(store);
    return;
  }
  if (place)
    add_puzzle(store, solved, place);
  struct stored *stored = index_find(&store->index, &solved->node.id);
  if (stored && solved->source == SOURCE_SOLVED && !atomic_load(&store->failing))
    keep_table(store, solved);
}

/* store_write_puzzle() has written it; a job that is on its way may write an older one over it. */
static void current_was_written(struct store *store, const struct id *id)
{
  store->has_current = true;
  store->current = *id;
  store->current_changed = store->current_writing;
}

void store_add(struct store *store, struct solved *solved, const struct place *place)
{
  if (!store)
    return;
  if (place && place->segment >= store->first_segment)
    current_was_written(store, &solved->node.id);
  store_add_record(store, solved, place);
}
