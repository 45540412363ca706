/*
 * Looking at the folder: on a thread, tables are listed, then segments are read from where they were read
 * before; on the loop, what was found goes into the index a slice at a time. Since a puzzle is written before
 * its table, a table without a puzzle is nobody's, and is removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/inside.h"
#include "daemon/store/table_file.h"
#include "solver/packed.h"

enum { SLICE = 2048, PROBE_BYTES = 4096 };

struct table_entry {
  struct id id;
  uint64_t bytes;
  bool claimed; /* by a puzzle */
};

struct scan_job {
  struct job job;
  struct store *store;
  bool reopen;
  bool whole;                   /* from the beginning: nothing is known yet */
  struct link waiters;          /* who came before it began */
  struct link entries;          /* of an index that is no longer true, to be freed */
  struct segment_use *segments; /* owned: what was known, then what was found */
  uint32_t segment_count;
  struct found *found; /* owned; the least recently used first */
  size_t found_count, found_room, merged;
  struct table_entry *tables; /* owned, by id */
  size_t table_count, table_room;
  uint64_t damaged_bytes;
  bool was_read;   /* the folder could be opened, and all of it listed */
  bool incomplete; /* a segment could not be read */
  bool has_current;
  struct id current;
};

/* Room for one more of `size` bytes each. */
static int grow(void **items, size_t count, size_t *room, size_t size)
{
  if (count < *room)
    return 0;
  size_t larger = *room ? 2 * *room : 64;
  void *moved = realloc(*items, larger * size);
  if (!moved)
    return -ENOMEM;
  *items = moved;
  *room = larger;
  return 0;
}

static int add_table(void *context, const char *name)
{
  struct scan_job *scan = context;
  const struct store_folder *folder = &scan->store->folder;
  struct stat status;
  struct table_entry entry = {0};
  if (fstatat(folder->fd[SUBFOLDER_TABLES], name, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return 0;
  entry.bytes = (uint64_t)status.st_size;
  if (!table_file_id(name, &entry.id) || !S_ISREG(status.st_mode) ||
      entry.bytes <= TABLE_FILE_HEAD_BYTES) {
    store_folder_set_aside(&scan->store->folder, SUBFOLDER_TABLES, name);
    return 0;
  }
  int result = grow((void **)&scan->tables, scan->table_count, &scan->table_room, sizeof entry);
  if (result == 0)
    scan->tables[scan->table_count++] = entry;
  return result;
}

static int add_found(void *context, const struct record *record, const struct place *place)
{
  struct scan_job *scan = context;
  struct packed_head head;
  if (record->used_s == 0 || packed_peek(record->packed, record->packed_bytes, &head) < 0)
    return 0;
  int result =
      grow((void **)&scan->found, scan->found_count, &scan->found_room, sizeof *scan->found);
  if (result == 0)
    scan->found[scan->found_count++] = (struct found){
        .id = record->id,
        .place = *place,
        .nodes = head.nodes,
        .game = head.game,
        .used_s = record->used_s < UINT32_MAX ? (uint32_t)record->used_s : UINT32_MAX,
    };
  return result;
}

static struct segment_use *known_segment(struct scan_job *scan, uint32_t segment)
{
  for (uint32_t i = 0; i < scan->segment_count; i++) {
    if (scan->segments[i].segment == segment)
      return &scan->segments[i];
  }
  struct segment_use *larger = realloc(scan->segments, (scan->segment_count + 1) * sizeof *larger);
  if (!larger)
    return NULL;
  scan->segments = larger;
  larger[scan->segment_count] = (struct segment_use){.segment = segment};
  return &larger[scan->segment_count++];
}

/* One that was never finished is removed; whoever is just making it holds a lock on it. */
static void refuse_segment(struct store *store, uint32_t segment, const char *name, uint64_t bytes)
{
  bool is_link = bytes < SEGMENT_HEAD_BYTES && segment_remove(&store->folder, segment) == -ELOOP;
  if (is_link || bytes >= SEGMENT_HEAD_BYTES)
    store_folder_set_aside(&store->folder, SUBFOLDER_PUZZLES, name);
}

static int add_segment(void *context, const char *name)
{
  struct scan_job *scan = context;
  uint32_t number = segment_number(name);
  if (number == 0) {
    store_folder_set_aside(&scan->store->folder, SUBFOLDER_PUZZLES, name);
    return 0;
  }
  struct segment_use *segment = known_segment(scan, number);
  if (!segment)
    return -ENOMEM;
  struct segment_scan visit = {.segment = number, .from = segment->read_bytes};
  int result = segment_visit(&scan->store->folder, &visit, add_found, scan);
  if (result == -EBADMSG) {
    refuse_segment(scan->store, number, name, visit.bytes);
    return 0;
  }
  if (result < 0) {
    scan->incomplete = true;
    store_note(scan->store, result);
    return result == -ENOMEM ? result : 0;
  }
  segment->damaged |= visit.damaged;
  segment->bytes = segment->read_bytes = visit.end;
  return 0;
}

static int by_use(const void *left, const void *right)
{
  const struct found *a = left, *b = right;
  return (a->used_s > b->used_s) - (a->used_s < b->used_s);
}

static int by_id(const void *left, const void *right)
{
  return memcmp(left, right, sizeof(struct id));
}

static void join_tables(struct scan_job *scan)
{
  if (scan->table_count == 0)
    return;
  qsort(scan->tables, scan->table_count, sizeof *scan->tables, by_id);
  for (size_t i = 0; i < scan->found_count; i++) {
    struct table_entry *entry =
        bsearch(&scan->found[i].id, scan->tables, scan->table_count, sizeof *scan->tables, by_id);
    if (!entry)
      continue;
    entry->claimed = true;
    scan->found[i].table_bytes = entry->bytes;
  }
}

static void remove_orphans(const struct scan_job *scan)
{
  for (size_t i = 0; i < scan->table_count; i++) {
    if (!scan->tables[i].claimed)
      table_file_remove(&scan->store->folder, &scan->tables[i].id);
  }
}

/* Can files be written here? */
static int probe(const struct store_folder *folder)
{
  static const char zeros[PROBE_BYTES];
  char name[32];
  snprintf(name, sizeof name, "probe.%ld", (long)getpid());
  int unfinished = folder->fd[SUBFOLDER_UNFINISHED];
  int fd = openat(unfinished, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return -errno;
  ssize_t written = write(fd, zeros, sizeof zeros);
  int result = written < 0 ? -errno : written == sizeof zeros ? 0 : -ENOSPC;
  unlinkat(unfinished, name, 0);
  close(fd);
  return result;
}

static void was_opened(struct store *store)
{
  pthread_mutex_lock(&store->opening);
  store->opened = true;
  pthread_cond_broadcast(&store->was_opened);
  pthread_mutex_unlock(&store->opening);
}

static int open_folder(struct store *store)
{
  int result = store_folder_open(&store->folder), writable = 0;
  if (result == 0)
    writable = probe(&store->folder);
  if (result < 0 || writable < 0)
    atomic_store(&store->failing, result < 0 ? -result : -writable);
  else
    atomic_store(&store->failing, 0);
  was_opened(store);
  return result;
}

static void run(struct job *job)
{
  struct scan_job *scan = container_of(job, struct scan_job, job);
  struct store *store = scan->store;
  index_free_entries(&scan->entries);
  if (scan->reopen && open_folder(store) < 0)
    return;
  store_folder_remove_unfinished(&store->folder);
  scan->has_current = current_read(&store->folder, &scan->current) == 0;
  int tables = store_folder_visit(&store->folder, SUBFOLDER_TABLES, add_table, scan);
  int puzzles = store_folder_visit(&store->folder, SUBFOLDER_PUZZLES, add_segment, scan);
  if (scan->found_count > 0)
    qsort(scan->found, scan->found_count, sizeof *scan->found, by_use);
  join_tables(scan);
  scan->was_read = tables == 0 && puzzles == 0;
  if (scan->whole && !scan->was_read)
    atomic_store(&store->failing, tables < 0 ? -tables : -puzzles);
  if (scan->whole && scan->was_read && !scan->incomplete)
    remove_orphans(scan);
  scan->damaged_bytes = store_folder_bytes(&store->folder, SUBFOLDER_DAMAGED);
}

static void merge(struct store *store, const struct found *found)
{
  struct stored *stored = index_find(&store->index, &found->id);
  if (stored)
    store_keep_higher(store, stored, &found->place);
  else
    stored = index_add(&store->index, found);
  if (stored && stored->table_bytes == 0 && found->table_bytes > 0)
    index_set_table(&store->index, stored, found->table_bytes);
}

/* Tables that others wrote of puzzles that were known. */
static void merge_tables(struct scan_job *scan)
{
  struct index *index = &scan->store->index;
  for (size_t i = 0; i < scan->table_count; i++) {
    struct stored *stored = scan->tables[i].claimed ? NULL : index_find(index, &scan->tables[i].id);
    if (stored && stored->table_bytes == 0)
      index_set_table(index, stored, scan->tables[i].bytes);
  }
}

static void merge_segments(struct scan_job *scan)
{
  for (uint32_t i = 0; i < scan->segment_count; i++) {
    struct segment_use *segment = index_segment(&scan->store->index, scan->segments[i].segment);
    if (!segment)
      continue;
    segment->damaged |= scan->segments[i].damaged;
    if (segment->bytes < scan->segments[i].bytes)
      segment->bytes = scan->segments[i].bytes;
    if (segment->read_bytes < scan->segments[i].read_bytes)
      segment->read_bytes = scan->segments[i].read_bytes;
  }
}

static void nothing(struct job *job)
{
  (void)job;
}

/* Who came while it was going on may ask for what was added after it had passed by. */
static void call_waiters(struct scan_job *scan)
{
  struct store *store = scan->store;
  if (!scan->was_read || store->closing)
    list_move_all(&store->waiting, &scan->waiters);
  store_call(&scan->waiters);
  if (!list_empty(&store->waiting) && !store->scanning)
    store_scan(store, false);
}

static void finish(struct scan_job *scan)
{
  struct store *store = scan->store;
  merge_tables(scan);
  merge_segments(scan);
  store->damaged_bytes = scan->damaged_bytes;
  if (scan->whole && !store->has_current && scan->has_current) {
    store->has_current = true;
    store->current = scan->current;
  }
  store->loaded |= scan->was_read;
  store->scanning = false;
}

static void scan_free(struct scan_job *scan)
{
  free(scan->segments);
  free(scan->found);
  free(scan->tables);
  free(scan);
}

static void done(struct job *job)
{
  struct scan_job *scan = container_of(job, struct scan_job, job);
  struct store *store = scan->store;
  for (int i = 0; i < SLICE && scan->merged < scan->found_count; i++)
    merge(store, &scan->found[scan->merged++]);
  if (scan->merged < scan->found_count && !store->closing) {
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
static void copy_segments(struct scan_job *scan, const struct index *index)
{
  if (index->segment_count == 0)
    return;
  scan->segments = malloc(index->segment_count * sizeof *scan->segments);
  if (!scan->segments)
    return;
  memcpy(scan->segments, index->segments, index->segment_count * sizeof *scan->segments);
  scan->segment_count = index->segment_count;
}

static void forget_gone(struct scan_job *scan)
{
  struct store *store = scan->store;
  index_clear(&store->index, &scan->entries);
  store->mark_count = 0;
  store->damaged_bytes = 0;
  store->loaded = false;
}

void store_scan(struct store *store, bool reopen)
{
  struct scan_job *scan = calloc(1, sizeof *scan);
  if (!scan) {
    atomic_store(&store->failing, ENOMEM);
    was_opened(store);
    store_call(&store->waiting);
    return;
  }
  scan->job.run = run;
  scan->job.done = done;
  scan->store = store;
  scan->reopen = reopen;
  list_init(&scan->entries);
  list_init(&scan->waiters);
  list_move_all(&store->waiting, &scan->waiters);
  if (reopen && store_folder_is_gone(&store->folder))
    forget_gone(scan);
  scan->whole = !store->loaded;
  copy_segments(scan, &store->index);
  store->scanning = true;
  workers_submit(store->writers, &scan->job);
}
