/*
 * A hash map by id that runs through its members. Ids that agree in their first six digits share a
 * bucket, so a prefix is looked up as fast as a whole id. It grows by one bucket with a node: no step of its
 * life looks at more nodes than share a bucket.
 */
#ifndef CATMOUSE_DAEMON_ID_MAP_H
#define CATMOUSE_DAEMON_ID_MAP_H

#include <stdint.h>

#include "solver/id.h"

/* A member's place in a map. */
struct id_node {
  struct id id;
  struct id_node *next; /* in the same bucket */
};

enum { ID_MAP_FIRST = 64, ID_MAP_SEGMENTS = 19 };

struct id_map {
  struct id_node *
      *segments[ID_MAP_SEGMENTS]; /* owned: ID_MAP_FIRST buckets, then as many as all before */
  uint32_t bucket_count;
  uint32_t count;
};

/* 0 or -ENOMEM. */
int id_map_init(struct id_map *map);
void id_map_deinit(struct id_map *map);

/* Forgets every node, without looking at any. */
void id_map_clear(struct id_map *map);

/* Adds a node whose `id` is set and not in the map yet. Where memory for growing lacks, the map gets slower. */
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
