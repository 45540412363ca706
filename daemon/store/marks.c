/*
 * The one field of a record that changes: when its puzzle was last asked for, or 0. Marks are put off and
 * written together; a daemon that is killed before leaves a record a little older, or the lower of two alive.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/store/inside.h"

enum { REMARK_S = 3600 };

void store_mark(struct store *store, const struct id *id, const struct place *place,
                uint32_t used_s)
{
  if (store->mark_count == MARKS_MAX)
    store_flush_marks(store);
  store_mark_again(store, &(struct mark){*id, *place, used_s});
}

void store_mark_again(struct store *store, const struct mark *mark)
{
  if (store->mark_count < MARKS_MAX)
    store->marks[store->mark_count++] = *mark;
}

void store_keep_higher(struct store *store, struct stored *stored, const struct place *place)
{
  struct place lower = stored->place;
  if (place_is_before(place, &lower))
    lower = *place;
  else if (!place_is_before(&lower, place) || index_move(&store->index, stored, place) < 0)
    return;
  store_mark(store, &stored->node.id, &lower, 0);
}

struct marks_job {
  struct job job;
  struct store *store;
  bool sync;
  unsigned count; /* in the end, of those that could not be written */
  struct mark marks[MARKS_MAX];
};

static void run_marks(struct job *job)
{
  struct marks_job *marks = container_of(job, struct marks_job, job);
  unsigned lacking = 0;
  for (unsigned i = 0; i < marks->count; i++) {
    const struct mark *mark = &marks->marks[i];
    int result = store_note(marks->store, puzzle_log_mark(&marks->store->folder, &mark->place,
                                                          &mark->id, mark->used_s));
    if (store_lacked(result))
      marks->marks[lacking++] = *mark;
  }
  marks->count = lacking;
  if (marks->sync)
    store_note(marks->store, puzzle_log_sync(&marks->store->log));
}

static void marks_done(struct job *job)
{
  struct marks_job *marks = container_of(job, struct marks_job, job);
  struct store *store = marks->store;
  for (unsigned i = 0; i < marks->count; i++)
    store_mark_again(store, &marks->marks[i]);
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
