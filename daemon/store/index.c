/* Puzzles are linked three times: by id, by use, and those with a table by use once more. */
#include "daemon/store/index.h"

#include <errno.h>
#include <stdlib.h>

static struct stored *of_node(struct id_node *node)
{
  return node ? container_of(node, struct stored, node) : NULL;
}

int index_init(struct index *index)
{
  *index = (struct index){0};
  list_init(&index->recency);
  list_init(&index->by_table);
  return id_map_init(&index->map);
}

void index_clear(struct index *index, struct link *entries)
{
  list_init(entries);
  list_move_all(&index->recency, entries);
  list_init(&index->by_table);
  id_map_clear(&index->map);
  free(index->segments);
  index->segments = NULL;
  index->segment_count = index->table_count = 0;
  index->table_bytes = index->live_bytes = 0;
}

void index_free_entries(struct link *entries)
{
  for (struct link *link; (link = list_pop(entries));)
    free(container_of(link, struct stored, recency));
}

void index_deinit(struct index *index)
{
  struct link entries;
  index_clear(index, &entries);
  index_free_entries(&entries);
  id_map_deinit(&index->map);
}

struct stored *index_find(const struct index *index, const struct id *id)
{
  return of_node(id_map_find(&index->map, id));
}

uint32_t index_find_prefix(const struct index *index, const char *digits, struct stored **stored)
{
  struct id_node *node = NULL;
  uint32_t matches = id_map_find_prefix(&index->map, digits, &node);
  if (matches == 1)
    *stored = of_node(node);
  return matches;
}

/* The place of a segment, or where it belongs. */
static uint32_t lower_bound(const struct index *index, uint32_t segment)
{
  uint32_t low = 0, high = index->segment_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (index->segments[middle].segment < segment)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct segment_use *find_segment(const struct index *index, uint32_t segment)
{
  uint32_t at = lower_bound(index, segment);
  return at < index->segment_count && index->segments[at].segment == segment ? &index->segments[at]
                                                                             : NULL;
}

struct segment_use *index_segment(struct index *index, uint32_t segment)
{
  struct segment_use *known = find_segment(index, segment);
  if (known)
    return known;
  struct segment_use *larger =
      realloc(index->segments, (index->segment_count + 1) * sizeof *larger);
  if (!larger)
    return NULL;
  index->segments = larger;
  uint32_t at = lower_bound(index, segment);
  for (uint32_t i = index->segment_count++; i > at; i--)
    larger[i] = larger[i - 1];
  larger[at] = (struct segment_use){.segment = segment, .read_bytes = SEGMENT_HEAD_BYTES};
  return &larger[at];
}

void index_drop_segment(struct index *index, uint32_t segment)
{
  struct segment_use *known = find_segment(index, segment);
  if (!known)
    return;
  index->segment_count--;
  for (uint32_t i = (uint32_t)(known - index->segments); i < index->segment_count; i++)
    index->segments[i] = index->segments[i + 1];
}

void index_drop_segments_before(struct index *index, uint32_t segment)
{
  uint32_t dropped = lower_bound(index, segment);
  index->segment_count -= dropped;
  for (uint32_t i = 0; i < index->segment_count; i++)
    index->segments[i] = index->segments[i + dropped];
}

uint64_t index_log_bytes(const struct index *index)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < index->segment_count; i++)
    bytes += index->segments[i].bytes;
  return bytes;
}

static void add_live(struct index *index, const struct place *place)
{
  struct segment_use *segment = find_segment(index, place->segment);
  uint64_t end = (uint64_t)place->offset + place->bytes;
  index->live_bytes += place->bytes;
  segment->live_bytes += place->bytes;
  if (segment->bytes < end)
    segment->bytes = end;
  if (place->offset <= segment->read_bytes && segment->read_bytes < end)
    segment->read_bytes = end;
}

static void take_live(struct index *index, const struct place *place)
{
  struct segment_use *segment = find_segment(index, place->segment);
  index->live_bytes -= place->bytes;
  if (segment)
    segment->live_bytes -= place->bytes;
}

struct stored *index_add(struct index *index, const struct found *found)
{
  struct stored *stored = calloc(1, sizeof *stored);
  if (!stored || !index_segment(index, found->place.segment)) {
    free(stored);
    return NULL;
  }
  stored->node.id = found->id;
  stored->place = found->place;
  stored->nodes = found->nodes;
  stored->game = found->game;
  stored->used_s = stored->marked_s = found->used_s;
  id_map_add(&index->map, &stored->node);
  list_prepend(&index->recency, &stored->recency);
  list_init(&stored->by_table);
  add_live(index, &stored->place);
  return stored;
}

void index_take(struct index *index, struct stored *stored)
{
  index_set_table(index, stored, 0);
  take_live(index, &stored->place);
  id_map_remove(&index->map, &stored->node);
  list_remove(&stored->recency);
}

void index_remove(struct index *index, struct stored *stored)
{
  index_take(index, stored);
  free(stored);
}

void index_touch(struct index *index, struct stored *stored, uint32_t now_s)
{
  stored->used_s = now_s;
  list_remove(&stored->recency);
  list_prepend(&index->recency, &stored->recency);
  if (stored->table_bytes > 0) {
    list_remove(&stored->by_table);
    list_prepend(&index->by_table, &stored->by_table);
  }
}

void index_set_table(struct index *index, struct stored *stored, uint64_t bytes)
{
  index->table_bytes += bytes - stored->table_bytes;
  index->tables_gone += bytes == 0 && stored->table_bytes > 0;
  index->table_count += (bytes > 0) - (uint32_t)(stored->table_bytes > 0);
  stored->table_bytes = bytes;
  list_remove(&stored->by_table);
  if (bytes > 0)
    list_prepend(&index->by_table, &stored->by_table);
}

int index_move(struct index *index, struct stored *stored, const struct place *place)
{
  if (!index_segment(index, place->segment))
    return -ENOMEM;
  take_live(index, &stored->place);
  stored->place = *place;
  add_live(index, &stored->place);
  return 0;
}
