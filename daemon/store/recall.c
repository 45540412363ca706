/* Reading back: tables for solves, and puzzles for those who only know an id. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/inside.h"
#include "daemon/store/table_file.h"

/* Damaged, or of a disk that doesn't give it back: either way it is no use. */
static bool is_lost(int result)
{
  return result == -EBADMSG || result == -EIO;
}

int store_read_table(struct store *store, const struct id *id, uint32_t nodes, uint64_t max_bytes,
                     const atomic_bool *stop, struct table **table, uint64_t *solve_us)
{
  struct table_file file = {.id = *id};
  store_wait_until_opened(store);
  int result = table_file_read(&store->folder, &file, nodes, max_bytes, stop, table);
  if (result == 0)
    *solve_us = file.solve_us;
  if (is_lost(result)) {
    char name[ID_TEXT + 1];
    id_format(id, name);
    log_line(store->options.log, LOG_WARNING, "the table of %s is damaged, so it is solved again",
             name);
    store_folder_set_aside(&store->folder, SUBFOLDER_TABLES, name);
  }
  return result;
}

void store_table_was_read(struct store *store, const struct id *id, int result)
{
  struct stored *stored = store_find(store, id);
  if (result == 0)
    store->tables_read++;
  if (is_lost(result) && stored)
    store->damaged_bytes += stored->table_bytes;
  if (stored && (is_lost(result) || result == -ENOENT))
    index_set_table(&store->index, stored, 0);
}

struct reading_job {
  struct job job;
  struct store *store;
  struct link waiters;
  struct id id;
  struct place place;
  struct arena *arena;
  int result;
  struct store_waiter again; /* for where it lies now */
  struct link looking;       /* in the store's list meanwhile */
};

static void run(struct job *job)
{
  struct reading_job *reading = container_of(job, struct reading_job, job);
  reading->result =
      puzzle_log_read(&reading->store->folder, &reading->place, &reading->id, &reading->arena);
}

/* Its record may have been copied elsewhere by ourselves, and is to be read there next time. */
static bool is_lost_here(const struct reading_job *reading, const struct stored *stored)
{
  return (reading->result == -EBADMSG || reading->result == -ENOENT) && stored &&
         stored->place.segment == reading->place.segment &&
         stored->place.offset == reading->place.offset;
}

static void hand_over(struct reading_job *reading)
{
  struct link *link = list_pop(&reading->waiters);
  if (link) {
    struct store_waiter *waiter = container_of(link, struct store_waiter, link);
    waiter->arena = reading->arena;
    waiter->id = reading->id;
    waiter->done(waiter);
  } else {
    arena_free(reading->arena);
  }
  free(reading);
}

static void looked_again(struct store_waiter *again)
{
  struct reading_job *reading = container_of(again, struct reading_job, again);
  struct store *store = reading->store;
  list_remove(&reading->looking);
  if (!index_find(&store->index, &reading->id))
    store_drop_current(store, &reading->id);
  hand_over(reading);
}

/* Another daemon may have moved it, kept it again, or forgotten it. */
static void look_again(struct reading_job *reading, struct stored *stored)
{
  struct store *store = reading->store;
  struct segment_use *segment = index_segment(&store->index, stored->place.segment);
  if (segment && reading->result == -EBADMSG)
    segment->damaged = true;
  index_remove(&store->index, stored);
  list_append(&store->looking, &reading->looking);
  reading->again.done = looked_again;
  store_wait(store, &reading->again);
}

bool store_looks_for(const struct store *store, const struct id *id)
{
  for (struct link *at = store->looking.next; at != &store->looking; at = at->next) {
    if (memcmp(&container_of(at, struct reading_job, looking)->id, id, sizeof *id) == 0)
      return true;
  }
  return false;
}

static void done(struct job *job)
{
  struct reading_job *reading = container_of(job, struct reading_job, job);
  struct stored *stored = index_find(&reading->store->index, &reading->id);
  if (is_lost_here(reading, stored) && !reading->store->closing)
    look_again(reading, stored);
  else
    hand_over(reading);
}

int store_read_puzzle(struct store *store, const struct stored *stored, struct store_waiter *waiter)
{
  struct reading_job *reading = calloc(1, sizeof *reading);
  if (!reading)
    return -ENOMEM;
  reading->job.run = run;
  reading->job.done = done;
  reading->store = store;
  reading->id = stored->node.id;
  reading->place = stored->place;
  reading->result = -ECANCELED;
  list_init(&reading->waiters);
  list_append(&reading->waiters, &waiter->link);
  workers_submit(store->readers, &reading->job);
  return 0;
}
