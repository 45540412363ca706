/*
 * A segment in which more is dead than alive, or that is damaged, is cleaned: its live records are appended
 * to later ones, the index follows, and then the file goes. It is held all the while, so that nobody appends to
 * it or cleans it too. Whoever reads an old place meanwhile finds the file gone and asks the index again.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/store/inside.h"
#include "daemon/store/segment.h"

enum { SLACK_SEGMENTS = 2 };

/* Where a record was and is. */
struct moved {
  struct id id;
  struct place from, to;
};

struct clean_job {
  struct job job;
  struct store *store;
  uint32_t segment;
  uint64_t known_bytes; /* of it: records beyond may be unknown to the index */
  bool damaged;
  unsigned clears;        /* the store's, when it began */
  uint64_t damaged_bytes; /* in damaged/, once it is there */
  int held;               /* a descriptor of it, or less than 0 */
  struct moved *moved;    /* owned */
  size_t count, room;
  int result;
};

static int note_move(struct clean_job *clean, const struct moved *moved)
{
  if (clean->count == clean->room) {
    size_t room = clean->room ? 2 * clean->room : 64;
    struct moved *larger = realloc(clean->moved, room * sizeof *larger);
    if (!larger)
      return -ENOMEM;
    clean->moved = larger;
    clean->room = room;
  }
  clean->moved[clean->count++] = *moved;
  return 0;
}

/* A whole record lies in memory as it does in the file. */
static int copy_record(void *context, const struct record *record, const struct place *place)
{
  struct clean_job *clean = context;
  struct moved moved = {.id = record->id, .from = *place};
  if (record->used_s == 0)
    return 0;
  const uint8_t *bytes = record->packed - RECORD_HEAD_BYTES;
  int result = puzzle_log_append_record(&clean->store->log, bytes, record->bytes, &moved.to);
  return result < 0 ? result : note_move(clean, &moved);
}

static int copy_all(struct clean_job *clean)
{
  struct store *store = clean->store;
  struct segment_scan scan = {.segment = clean->segment};
  int result = puzzle_log_append_after(&store->log, clean->segment);
  if (result < 0)
    return result;
  clean->held = segment_hold(&store->folder, clean->segment);
  if (clean->held < 0)
    return clean->held;
  result = segment_visit_fd(clean->held, &scan, copy_record, clean);
  return result < 0 ? result : puzzle_log_sync(&store->log);
}

static void run_copy(struct job *job)
{
  struct clean_job *clean = container_of(job, struct clean_job, job);
  clean->result = store_note(clean->store, copy_all(clean));
}

static void run_remove(struct job *job)
{
  struct clean_job *clean = container_of(job, struct clean_job, job);
  struct store_folder *folder = &clean->store->folder;
  char name[SEGMENT_NAME_BYTES];
  if (!clean->damaged) {
    clean->result = store_note(clean->store, segment_unlink(folder, clean->segment));
    return;
  }
  segment_name(clean->segment, name);
  store_folder_set_aside(folder, SUBFOLDER_PUZZLES, name);
  clean->damaged_bytes = store_folder_bytes(folder, SUBFOLDER_DAMAGED);
  clean->result = 0;
}

/* One that never was in the index, or that is looked for, is found by a scan. */
static bool was_forgotten(const struct clean_job *clean, const struct moved *moved)
{
  const struct found copied = {.id = moved->id, .place = moved->from};
  return (moved->from.offset < clean->known_bytes || store_was_dropped(clean->store, &copied)) &&
         !store_looks_for(clean->store, &moved->id);
}

static void follow(struct clean_job *clean, const struct moved *moved)
{
  struct store *store = clean->store;
  struct stored *stored = index_find(&store->index, &moved->id);
  if (stored && stored->place.segment == clean->segment)
    index_move(&store->index, stored, &moved->to);
  else if (stored)
    store_keep_higher(store, stored, &moved->to);
  else if (was_forgotten(clean, moved))
    store_drop_copy(store, &moved->id, &moved->to);
}

static void end(struct clean_job *clean)
{
  struct store *store = clean->store;
  store->sweeping = store->cleaning = false;
  store_end_drops(store);
  if (clean->held >= 0)
    close(clean->held);
  free(clean->moved);
  free(clean);
  store_written(store);
}

/* One that our own solvers took over again meanwhile is tried again, and so is one for which anything lacked. */
static void leave(const struct clean_job *clean)
{
  bool is_ours = puzzle_log_segment(&clean->store->log) == clean->segment;
  if ((clean->result == -EBUSY && is_ours) || store_lacked(clean->result))
    return;
  struct segment_use *segment = index_segment(&clean->store->index, clean->segment);
  if (segment)
    segment->left = true;
}

static void remove_done(struct job *job)
{
  struct clean_job *clean = container_of(job, struct clean_job, job);
  struct store *store = clean->store;
  if (clean->result == 0)
    index_drop_segment(&store->index, clean->segment);
  else
    leave(clean);
  if (clean->result == 0 && clean->damaged && clean->clears == store->clears)
    store->damaged_bytes = clean->damaged_bytes;
  end(clean);
}

static void copy_done(struct job *job)
{
  struct clean_job *clean = container_of(job, struct clean_job, job);
  for (size_t i = 0; i < clean->count; i++)
    follow(clean, &clean->moved[i]);
  store_flush_marks(clean->store); /* whoever had one of them forgotten is being told that it is */
  if (clean->result < 0) {
    leave(clean);
    end(clean);
    return;
  }
  clean->job.run = run_remove;
  clean->job.done = remove_done;
  clean->result = -ECANCELED;
  workers_submit(clean->store->writers, &clean->job);
}

static bool wants_cleaning(const struct index *index, const struct segment_use *segment)
{
  if (segment->left || segment->damaged)
    return !segment->left;
  uint64_t slack_bytes = (uint64_t)SLACK_SEGMENTS * SEGMENT_BYTES;
  return segment->live_bytes * 2 < segment->bytes &&
         index_log_bytes(index) > 2 * index->live_bytes + slack_bytes;
}

static void clean_segment(struct store *store, const struct segment_use *segment)
{
  struct clean_job *clean = calloc(1, sizeof *clean);
  if (!clean)
    return;
  clean->job.run = run_copy;
  clean->job.done = copy_done;
  clean->store = store;
  clean->segment = segment->segment;
  clean->known_bytes = segment->read_bytes;
  clean->held = -1;
  clean->damaged = segment->damaged;
  clean->clears = store->clears;
  clean->result = -ECANCELED;
  store->sweeping = store->cleaning = true;
  store_write(store, &clean->job);
}

void store_clean(struct store *store)
{
  for (uint32_t i = 0; i < store->index.segment_count; i++) {
    const struct segment_use *segment = &store->index.segments[i];
    if (wants_cleaning(&store->index, segment)) {
      clean_segment(store, segment);
      return;
    }
  }
}
