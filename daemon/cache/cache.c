/*
 * Entries are linked twice: in the map by id, and in the order of use. A dropped entry leaves both at
 * once and is freed as soon as nobody holds a reference.
 */
#include "daemon/cache/cache.h"

#include <errno.h>
#include <stdlib.h>

enum { CACHE_BITS = 20 };

static struct solved *of_node(struct id_node *node)
{
  return node ? container_of(node, struct solved, node) : NULL;
}

struct solved *solved_new(const struct id *id, struct arena *arena)
{
  struct solved *solved = calloc(1, sizeof(*solved));
  if (!solved)
    return NULL;
  solved->node.id = *id;
  id_format(id, solved->id_text);
  solved->arena = arena;
  solved->bytes = sizeof(*solved) + arena->bytes;
  list_init(&solved->recency);
  return solved;
}

void solved_free_all(struct link *list)
{
  for (struct link *link; (link = list_pop(list));) {
    struct solved *solved = container_of(link, struct solved, recency);
    arena_free((struct arena *)solved->arena);
    table_free((struct table *)solved->table);
    free(solved);
  }
}

static void drop(struct cache *cache, struct solved *solved)
{
  cache->dropped_bytes += solved->bytes;
  list_append(&cache->dropped, &solved->recency);
}

int cache_init(struct cache *cache, uint64_t max_bytes)
{
  *cache = (struct cache){.max_bytes = max_bytes};
  list_init(&cache->recency);
  list_init(&cache->in_use);
  list_init(&cache->dropped);
  return id_map_init(&cache->map, CACHE_BITS);
}

void cache_deinit(struct cache *cache)
{
  cache_shrink(cache, 0, SIZE_MAX);
  solved_free_all(&cache->dropped);
  id_map_deinit(&cache->map);
}

void cache_ref(struct cache *cache, struct solved *solved)
{
  if (solved->references++ > 0)
    return;
  list_append(&cache->in_use, &solved->use);
  cache->in_use_bytes += solved->bytes;
}

static void drop_if_unused(struct cache *cache, struct solved *solved)
{
  if (solved->listed || solved->references > 0)
    return;
  cache->bytes -= solved->bytes;
  drop(cache, solved);
}

void cache_unref(struct cache *cache, struct solved *solved)
{
  if (--solved->references > 0)
    return;
  list_remove(&solved->use);
  cache->in_use_bytes -= solved->bytes;
  drop_if_unused(cache, solved);
}

void cache_evict(struct cache *cache, struct solved *solved)
{
  id_map_remove(&cache->map, &solved->node);
  list_remove(&solved->recency);
  solved->listed = false;
  drop_if_unused(cache, solved);
}

void cache_clear(struct cache *cache)
{
  for (struct link *link = cache->in_use.next; link != &cache->in_use; link = link->next) {
    struct solved *solved = container_of(link, struct solved, use);
    if (solved->listed)
      cache_evict(cache, solved);
  }
  cache->dropped_bytes += cache->bytes - cache->in_use_bytes;
  list_move_all(&cache->recency, &cache->dropped);
  id_map_clear(&cache->map);
  cache->bytes = cache->in_use_bytes;
}

void cache_take_dropped(struct cache *cache, struct link *list)
{
  list_init(list);
  list_move_all(&cache->dropped, list);
  cache->dropped_bytes = 0;
}

static void make_most_recent(struct cache *cache, struct solved *solved)
{
  list_remove(&solved->recency);
  list_prepend(&cache->recency, &solved->recency);
}

/* Tables in use move to the front of the list, or each call would pass over them again. */
bool cache_shrink(struct cache *cache, uint64_t bytes, size_t most)
{
  while (cache->bytes > bytes && cache->bytes > cache->in_use_bytes) {
    struct solved *solved = container_of(cache->recency.prev, struct solved, recency);
    if (most-- == 0)
      return false;
    if (solved->references > 0)
      make_most_recent(cache, solved);
    else
      cache_evict(cache, solved);
  }
  return true;
}

static void take_table(struct solved *solved, struct table *table)
{
  solved->table = table;
  solved->bytes += table_bytes(table->nodes, table->width);
}

void cache_drop(struct cache *cache, struct solved *solved, struct table *table)
{
  if (table)
    take_table(solved, table);
  drop(cache, solved);
}

void cache_add(struct cache *cache, struct solved *solved, struct table *table)
{
  take_table(solved, table);
  cache->bytes += solved->bytes;
  cache_ref(cache, solved);
  if (solved->bytes > cache->max_bytes)
    return;
  id_map_add(&cache->map, &solved->node);
  list_prepend(&cache->recency, &solved->recency);
  solved->listed = true;
}

struct solved *cache_find(const struct cache *cache, const struct id *id)
{
  return of_node(id_map_find(&cache->map, id));
}

uint32_t cache_find_prefix(const struct cache *cache, const char *digits, struct solved **solved)
{
  struct id_node *node = NULL;
  uint32_t matches = id_map_find_prefix(&cache->map, digits, &node);
  if (matches == 1)
    *solved = of_node(node);
  return matches;
}

void cache_touch(struct cache *cache, struct solved *solved, uint64_t now_ms)
{
  solved->hits++;
  solved->used_ms = now_ms;
  if (solved->listed)
    make_most_recent(cache, solved);
}
