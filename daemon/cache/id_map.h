/*
 * Finds things by their id, or by a prefix of it. The members link through themselves: adding one allocates
 * nothing. For one thread alone.
 */
#ifndef CATMOUSE_DAEMON_CACHE_ID_MAP_H
#define CATMOUSE_DAEMON_CACHE_ID_MAP_H

#include <stdint.h>

#include "solver/id.h"

/* A member's place in a map. */
struct id_node {
  struct id id;
  struct id_node *next; /* in the same bucket */
};

struct id_map {
  struct id_node **buckets; /* owned: one for each beginning of an id in `bits` bits */
  unsigned bits;
  uint32_t count;
};

/* `bits`: 1 to 24. The buckets' memory is touched only as they fill. 0 or -ENOMEM. */
int id_map_init(struct id_map *map, unsigned bits);
void id_map_deinit(struct id_map *map);

/* Forgets every node, without looking at any. */
void id_map_clear(struct id_map *map);

/* Adds a node whose `id` is set and not in the map yet. */
void id_map_add(struct id_map *map, struct id_node *node);
void id_map_remove(struct id_map *map, struct id_node *node);

/* NULL where there is none. */
struct id_node *id_map_find(const struct id_map *map, const struct id *id);

/*
 * How many ids begin with these lower-case hex digits, ID_PREFIX_MIN to ID_TEXT of them. `*found` is
 * one of these, or left alone.
 */
uint32_t id_map_find_prefix(const struct id_map *map, const char *digits, struct id_node **found);

#endif
