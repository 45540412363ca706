/*
 * Ids are uniformly distributed, so their first bits choose a bucket as they are. A map that may hold millions has
 * its millions of buckets from the beginning, in memory that the system gives only where it is touched: no add ever
 * moves the others, which would hold the loop.
 */
#include "daemon/cache/id_map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct id_node **new_buckets(unsigned bits)
{
  return calloc((size_t)1 << bits, sizeof(struct id_node *));
}

int id_map_init(struct id_map *map, unsigned bits)
{
  *map = (struct id_map){.buckets = new_buckets(bits), .bits = bits};
  return map->buckets ? 0 : -ENOMEM;
}

void id_map_deinit(struct id_map *map)
{
  free(map->buckets);
}

/* Without memory for new buckets the old ones are wiped. */
void id_map_clear(struct id_map *map)
{
  struct id_node **buckets = new_buckets(map->bits);
  if (buckets) {
    free(map->buckets);
    map->buckets = buckets;
  } else {
    memset(map->buckets, 0, sizeof(struct id_node *) << map->bits);
  }
  map->count = 0;
}

static struct id_node **bucket_of(const struct id_map *map, const struct id *id)
{
  uint32_t begin = (uint32_t)id->bytes[0] << 16 | (uint32_t)id->bytes[1] << 8 | id->bytes[2];
  return &map->buckets[begin >> (24 - map->bits)];
}

void id_map_add(struct id_map *map, struct id_node *node)
{
  struct id_node **bucket = bucket_of(map, &node->id);
  node->next = *bucket;
  *bucket = node;
  map->count++;
}

void id_map_remove(struct id_map *map, struct id_node *node)
{
  struct id_node **at = bucket_of(map, &node->id);
  while (*at != node)
    at = &(*at)->next;
  *at = node->next;
  map->count--;
}

struct id_node *id_map_find(const struct id_map *map, const struct id *id)
{
  struct id_node *node = *bucket_of(map, id);
  while (node && memcmp(&node->id, id, sizeof *id) != 0)
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

/* ID_PREFIX_MIN digits are the 24 bits that choose a bucket, so one bucket has all that begin so. */
uint32_t id_map_find_prefix(const struct id_map *map, const char *digits, struct id_node **found)
{
  size_t length = strnlen(digits, ID_TEXT);
  struct id prefix = id_of_digits(digits, length);
  uint32_t matches = 0;
  for (struct id_node *node = *bucket_of(map, &prefix); node; node = node->next) {
    if (!begins_with(&node->id, &prefix, length))
      continue;
    *found = node;
    matches++;
  }
  return matches;
}
