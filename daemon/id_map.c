/*
 * Buckets are chosen by the first 24 bits of the id, which is uniformly distributed already; there
 * are never more buckets than these bits can tell apart.
 */
#include "daemon/id_map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS_FIRST = 64, BUCKETS_MAX = 1 << 24 };

static struct id_node **bucket_of(const struct id_map *map, const uint8_t *bytes)
{
  uint32_t first = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
  return &map->buckets[first & (map->bucket_count - 1)];
}

int id_map_init(struct id_map *map)
{
  struct id_node **buckets = calloc(BUCKETS_FIRST, sizeof(*buckets));
  if (!buckets)
    return -ENOMEM;
  *map = (struct id_map){.buckets = buckets, .bucket_count = BUCKETS_FIRST};
  return 0;
}

void id_map_deinit(struct id_map *map)
{
  free(map->buckets);
}

void id_map_clear(struct id_map *map)
{
  struct id_node **buckets = calloc(BUCKETS_FIRST, sizeof(*buckets));
  map->count = 0;
  if (!buckets) {
    memset(map->buckets, 0, map->bucket_count * sizeof(*buckets));
    return;
  }
  free(map->buckets);
  map->buckets = buckets;
  map->bucket_count = BUCKETS_FIRST;
}

static void put(struct id_map *map, struct id_node *node)
{
  struct id_node **bucket = bucket_of(map, node->id.bytes);
  node->next = *bucket;
  *bucket = node;
}

static void grow(struct id_map *map)
{
  struct id_map larger = {.bucket_count = map->bucket_count * 2, .count = map->count};
  larger.buckets = calloc(larger.bucket_count, sizeof(struct id_node *));
  if (!larger.buckets)
    return;
  for (uint32_t i = 0; i < map->bucket_count; i++) {
    for (struct id_node *node = map->buckets[i], *next; node; node = next) {
      next = node->next;
      put(&larger, node);
    }
  }
  free(map->buckets);
  *map = larger;
}

void id_map_add(struct id_map *map, struct id_node *node)
{
  if (map->count >= map->bucket_count && map->bucket_count < BUCKETS_MAX)
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
