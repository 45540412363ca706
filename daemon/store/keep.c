/*
 * Keeping: the record of a solved puzzle at once, its table later where that pays. A table waits for its
 * turn with a reference to it, so what waits is bounded; one too many is not kept, and solved again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/inside.h"
#include "daemon/store/rule.h"
#include "daemon/store/table_file.h"

enum { REMARK_S = 3600, WAITING_SHARE = 4, CATCH_UP_MAX = 1000 };

int store_write_puzzle(struct store *store, const struct arena *arena, const struct id *id,
                       struct place *place)
{
  if (!store)
    return -ENOENT;
  store_wait_until_opened(store);
  int failing = atomic_load(&store->failing);
  if (failing)
    return -failing;
  int result = store_note(store, puzzle_log_append(&store->log, arena, id, store_now_s(), place));
  if (result == 0)
    store_note(store, current_write(&store->folder, id));
  return result;
}

/* store_write_puzzle() has written it; a job that is on its way may write an older one over it. */
static void current_was_written(struct store *store, const struct id *id)
{
  store->has_current = true;
  store->current = *id;
  store->current_changed = store->current_writing;
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
  current_was_written(store, &found.id);
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
  cache_unref(store->options.cache, keep->solved);
  free(keep);
  store_written(store);
}

static bool should_keep(const struct store *store, const struct solved *solved, uint64_t bytes)
{
  const struct daemon_limits *limits = store->options.limits;
  return table_pays(solved->solve_us, bytes, limits->store_read_rate) &&
         bytes <= limits->store_bytes && table_file_can_hold(solved->table) &&
         (store->writing_bytes == 0 ||
          store->writing_bytes + bytes <= limits->memory_bytes / WAITING_SHARE);
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
  cache_ref(store->options.cache, solved);
  store_write(store, &keep->job);
}

void store_add(struct store *store, struct solved *solved, const struct place *place)
{
  if (!store)
    return;
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
    late->missing[i].is_kept = store_write_puzzle(late->store, solved->arena, &solved->node.id,
                                                  &late->missing[i].place) == 0;
  }
}

static void catch_up_done(struct job *job)
{
  struct catch_up_job *late = container_of(job, struct catch_up_job, job);
  struct store *store = late->store;
  for (unsigned i = 0; i < late->count; i++) {
    struct solved *solved = late->missing[i].solved;
    if (late->missing[i].is_kept)
      store_add(store, solved, &late->missing[i].place);
    cache_unref(store->options.cache, solved);
  }
  free(late);
  store_written(store);
}

/* The last to be written is the one that becomes the current one, so the most recently used comes last. */
void store_catch_up(struct store *store)
{
  struct cache *cache = store->options.cache;
  struct catch_up_job *late = calloc(1, sizeof *late);
  if (!late)
    return;
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

void store_mark(struct store *store, const struct id *id, const struct place *place,
                uint32_t used_s)
{
  if (store->mark_count == MARKS_MAX)
    store_flush_marks(store);
  if (store->mark_count < MARKS_MAX)
    store->marks[store->mark_count++] = (struct mark){*id, *place, used_s};
}

static bool is_before(const struct place *left, const struct place *right)
{
  return left->segment < right->segment ||
         (left->segment == right->segment && left->offset < right->offset);
}

void store_keep_higher(struct store *store, struct stored *stored, const struct place *place)
{
  struct place lower = stored->place;
  if (is_before(place, &lower))
    lower = *place;
  else if (!is_before(&lower, place) || index_move(&store->index, stored, place) < 0)
    return;
  store_mark(store, &stored->node.id, &lower, 0);
}

struct marks_job {
  struct job job;
  struct store *store;
  bool sync;
  unsigned count;
  struct mark marks[MARKS_MAX];
};

static void run_marks(struct job *job)
{
  struct marks_job *marks = container_of(job, struct marks_job, job);
  for (unsigned i = 0; i < marks->count; i++) {
    const struct mark *mark = &marks->marks[i];
    store_note(marks->store,
               puzzle_log_mark(&marks->store->folder, &mark->place, &mark->id, mark->used_s));
  }
  if (marks->sync)
    store_note(marks->store, puzzle_log_sync(&marks->store->log));
}

static void marks_done(struct job *job)
{
  struct marks_job *marks = container_of(job, struct marks_job, job);
  struct store *store = marks->store;
  free(marks);
  store_written(store);
}

void store_flush_marks(struct store *store)
{
  if (store->mark_count == 0 && !store->log_dirty)
    return;
  struct marks_job *marks = calloc(1, sizeof *marks);
  if (!marks)
    return;
  marks->job.run = run_marks;
  marks->job.done = marks_done;
  marks->store = store;
  marks->sync = store->log_dirty;
  marks->count = store->mark_count;
  memcpy(marks->marks, store->marks, store->mark_count * sizeof store->marks[0]);
  store->mark_count = 0;
  store->log_dirty = false;
  store_write(store, &marks->job);
}

void store_touch(struct store *store, const struct id *id)
{
  struct stored *stored = store_find(store, id);
  if (!stored)
    return;
  index_touch(&store->index, stored, store_now_s());
  if (stored->used_s - stored->marked_s < REMARK_S)
    return;
  stored->marked_s = stored->used_s;
  store_mark(store, id, &stored->place, stored->used_s);
}
