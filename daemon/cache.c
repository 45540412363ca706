/*
 * Entries are linked twice: in the map by id, and in the order of use. A dropped entry leaves both at
 * once and is freed as soon as nobody holds a reference.
 */
#include "daemon/cache.h"

#include <errno.h>
#include <stdlib.h>

static struct solved *of_node(struct id_node *node)
{
  return node ? container_of(node, struct solved, node) : NULL;
}

static void solved_free(struct cache *cache, struct solved *solved)
{
  cache->bytes -= solved->bytes;
  arena_free((struct arena *)solved->arena);
  table_free((struct table *)solved->table);
  free(solved);
}

int cache_init(struct cache *cache, uint64_t max_bytes)
{
  *cache = (struct cache){.max_bytes = max_bytes};
  list_init(&cache->recency);
  return id_map_init(&cache->map);
}

void cache_deinit(struct cache *cache)
{
  cache_shrink(cache, 0);
  id_map_deinit(&cache->map);
}

void cache_ref(struct solved *solved)
{
  solved->references++;
}

void cache_unref(struct cache *cache, struct solved *solved)
{
  if (--solved->references == 0 && !solved->listed)
    solved_free(cache, solved);
}

void cache_evict(struct cache *cache, struct solved *solved)
{
  id_map_remove(&cache->map, &solved->node);
  list_remove(&solved->recency);
  solved->listed = false;
  if (cache->current == solved)
    cache->current = NULL;
  if (solved->references == 0)
    solved_free(cache, solved);
}

void cache_shrink(struct cache *cache, uint64_t bytes)
{
  struct link *link = cache->recency.prev;
  while (cache->bytes > bytes && link != &cache->recency) {
    struct solved *solved = container_of(link, struct solved, recency);
    link = link->prev;
    if (solved->references == 0)
      cache_evict(cache, solved);
  }
}

struct solved *cache_add(struct cache *cache, const struct id *id, struct arena *arena,
                         struct table *table)
{
  struct solved *solved = calloc(1, sizeof(*solved));
  if (!solved)
    return NULL;
  *solved = (struct solved){
      .node.id = *id,
      .arena = arena,
      .table = table,
      .source = SOURCE_SOLVED,
      .bytes = sizeof(*solved) + arena->bytes + table_bytes(table->nodes, table->width),
      .references = 1,
  };
  list_init(&solved->recency);
  id_format(id, solved->id_text);

  if (solved->bytes <= cache->max_bytes) {
    cache_shrink(cache, cache->max_bytes - solved->bytes);
    id_map_add(&cache->map, &solved->node);
    list_prepend(&cache->recency, &solved->recency);
    solved->listed = true;
  }
  cache->bytes += solved->bytes;
  return solved;
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
  if (!solved->listed)
    return;
  list_remove(&solved->recency);
  list_prepend(&cache->recency, &solved->recency);
}

void cache_set_current(struct cache *cache, struct solved *solved)
{
  if (solved->listed)
    cache->current = solved;
}
