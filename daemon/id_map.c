/*
 * Linear hashing: with each node added one bucket is split, in turn, between itself and a new one at the end. So
 * buckets below the last power of two that were split already, and those beyond it, are chosen by one bit more
 * than the others. Buckets lie in segments that double and never move.
 *
 * Bits are taken from the first 24 of the id, which is uniformly distributed already; there are never more
 * buckets than these bits can tell apart.
 */
#include "daemon/id_map.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS_MAX = 1 << 24 };

static_assert(ID_MAP_FIRST << (ID_MAP_SEGMENTS - 1) == BUCKETS_MAX, "segments hold all buckets");

static unsigned bits_of(uint32_t number)
{
  return 32 - (unsigned)__builtin_clz(number | 1);
}

/* Of bucket `at`; `*first` is the first bucket there. */
static unsigned segment_of(uint32_t at, uint32_t *first)
{
  unsigned segment = at < ID_MAP_FIRST ? 0 : bits_of(at / ID_MAP_FIRST);
  *first = segment == 0 ? 0 : (uint32_t)ID_MAP_FIRST << (segment - 1);
  return segment;
}

static struct id_node **bucket_at(const struct id_map *map, uint32_t at)
{
  uint32_t first;
  unsigned segment = segment_of(at, &first);
  return &map->segments[segment][at - first];
}

static struct id_node **bucket_of(const struct id_map *map, const uint8_t *bytes)
{
  uint32_t begin = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
  uint32_t mask = (1u << bits_of(map->bucket_count - 1)) - 1, at = begin & mask;
  return bucket_at(map, at < map->bucket_count ? at : at & mask >> 1);
}

int id_map_init(struct id_map *map)
{
  *map = (struct id_map){.bucket_count = ID_MAP_FIRST};
  map->segments[0] = calloc(ID_MAP_FIRST, sizeof(struct id_node *));
  return map->segments[0] ? 0 : -ENOMEM;
}

void id_map_deinit(struct id_map *map)
{
  for (unsigned segment = 0; segment < ID_MAP_SEGMENTS; segment++)
    free(map->segments[segment]);
}

void id_map_clear(struct id_map *map)
{
  for (unsigned segment = 1; segment < ID_MAP_SEGMENTS; segment++)
    free(map->segments[segment]);
  struct id_node **first = map->segments[0];
  memset(first, 0, ID_MAP_FIRST * sizeof(*first));
  *map = (struct id_map){.segments = {first}, .bucket_count = ID_MAP_FIRST};
}

static void put(struct id_map *map, struct id_node *node)
{
  struct id_node **bucket = bucket_of(map, node->id.bytes);
  node->next = *bucket;
  *bucket = node;
}

static bool has_room(struct id_map *map)
{
  uint32_t first;
  unsigned segment = segment_of(map->bucket_count, &first);
  if (!map->segments[segment])
    map->segments[segment] = calloc(map->bucket_count, sizeof(struct id_node *));
  return map->segments[segment];
}

static void grow(struct id_map *map)
{
  if (map->bucket_count == BUCKETS_MAX || !has_room(map))
    return;
  uint32_t added = map->bucket_count++;
  struct id_node **split = bucket_at(map, added - (1u << (bits_of(added) - 1)));
  struct id_node *node = *split;
  *split = NULL;
  for (struct id_node *next; node; node = next) {
    next = node->next;
    put(map, node);
  }
}

void id_map_add(struct id_map *map, struct id_node *node)
{
  if (map->count >= map->bucket_count)
    grow(map);
  put(map, node);
  map->count++;
}

void id_map_remove(struct id_map *map, struct id_node *node)
{
  struct id_node **at = bucket_of(map, node->id.bytes);
  while (*at != node)
    at = &(*at)->next;
  *at = node->next;
  map->count--;
}

struct id_node *id_map_find(const struct id_map *map, const struct id *id)
{
  struct id_node *node = *bucket_of(map, id->bytes);
  while (node && memcmp(node->id.bytes, id->bytes, ID_BYTES) != 0)
    node = node->next;
  return node;
}

/* Digits '0' to '9' and 'a' to 'f'; what is missing counts as zero. Plain loops, for vector code. */
static struct id id_of_digits(const char *digits, size_t length)
{
  char padded[ID_TEXT] = {0};
  struct id id;
  memcpy(padded, digits, length);
  for (size_t i = 0; i < ID_TEXT; i++)
    padded[i] = (char)((padded[i] & 0xf) + 9 * (padded[i] >> 6));
  for (size_t i = 0; i < ID_BYTES; i++)
    id.bytes[i] = (uint8_t)(padded[2 * i] << 4 | padded[2 * i + 1]);
  return id;
}

static bool begins_with(const struct id *id, const struct id *prefix, size_t digits)
{
  if (memcmp(id->bytes, prefix->bytes, digits / 2) != 0)
    return false;
  return digits % 2 == 0 || id->bytes[digits / 2] >> 4 == prefix->bytes[digits / 2] >> 4;
}

uint32_t id_map_find_prefix(const struct id_map *map, const char *digits, struct id_node **found)
{
  size_t length = strnlen(digits, ID_TEXT);
  struct id prefix = id_of_digits(digits, length);
  uint32_t matches = 0;
  for (struct id_node *node = *bucket_of(map, prefix.bytes); node; node = node->next) {
    if (!begins_with(&node->id, &prefix, length))
      continue;
    *found = node;
    matches++;
  }
  return matches;
}
