/*
 * Looking at the folder, on a thread: tables are listed, then segments are read from where they were read
 * before. Since a puzzle is written before its table, a table without a puzzle is nobody's, and is removed.
 */
#include "daemon/store/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/store/table_file.h"
#include "solver/packed.h"

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
  struct scan *scan = context;
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
  struct scan *scan = context;
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

static struct segment_use *known_segment(struct scan *scan, uint32_t segment)
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

/* One that was never finished is removed, but not while somebody is making it. */
static void refuse_segment(struct store *store, uint32_t segment, const char *name, uint64_t bytes)
{
  bool is_link =
      bytes < SEGMENT_HEAD_BYTES && segment_remove_unfinished(&store->folder, segment) == -ELOOP;
  if (is_link || bytes >= SEGMENT_HEAD_BYTES)
    store_folder_set_aside(&store->folder, SUBFOLDER_PUZZLES, name);
}

static int add_segment(void *context, const char *name)
{
  struct scan *scan = context;
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

/* What another daemon has removed has no bytes any more. */
static void note_gone(struct scan *scan)
{
  for (uint32_t i = 0; i < scan->segment_count; i++) {
    char name[SEGMENT_NAME_BYTES];
    struct stat status;
    segment_name(scan->segments[i].segment, name);
    int puzzles = scan->store->folder.fd[SUBFOLDER_PUZZLES];
    if (fstatat(puzzles, name, &status, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
      scan->segments[i].bytes = 0;
  }
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

static void join_tables(struct scan *scan)
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

static void remove_orphans(const struct scan *scan)
{
  for (size_t i = 0; i < scan->table_count; i++) {
    if (!scan->tables[i].claimed)
      table_file_remove(&scan->store->folder, &scan->tables[i].id);
  }
}

void scan_run(struct job *job)
{
  struct scan *scan = container_of(job, struct scan, job);
  struct store *store = scan->store;
  index_free_entries(&scan->entries);
  if (scan->reopen && store_open_folder(store) < 0)
    return;
  store_folder_remove_unfinished(&store->folder);
  scan->has_current = current_read(&store->folder, &scan->current) == 0;
  int tables = store_folder_visit(&store->folder, SUBFOLDER_TABLES, add_table, scan);
  int puzzles = store_folder_visit(&store->folder, SUBFOLDER_PUZZLES, add_segment, scan);
  note_gone(scan);
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
