/*
 * All three wait for the store, and answer about memory and disk together. A puzzle leaves the cache only after it has
 * left the disk.
 *
 * Failure: where the disk fails, the peer is told so, and nothing leaves the cache.
 */
#include "daemon/requests/cache_requests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/requests/posing.h"

static uint64_t since(uint64_t now, uint64_t then)
{
  return now > then ? now - then : 0;
}

static void list_cached(struct listed_table *entry, const struct solved *solved, uint64_t now_ms)
{
  *entry = (struct listed_table){
      .game = solved->arena->game,
      .nodes = solved->arena->nodes,
      .bytes = solved->bytes,
      .hits = solved->hits,
      .age_ms = since(now_ms, solved->used_ms),
      .where = PLACE_MEMORY,
  };
  memcpy(entry->id, solved->id_text, sizeof entry->id);
}

static void list_stored(struct listed_table *entry, const struct store_row *row)
{
  *entry = (struct listed_table){
      .game = row->game,
      .nodes = row->nodes,
      .disk_bytes = row->bytes,
      .age_ms = since((uint64_t)time(NULL), row->used_s) * 1000,
      .where = PLACE_DISK,
  };
  id_format(&row->id, entry->id);
}

/* What is solved now, then what is in memory, then what is on disk alone. Returns how many these are, at most `most`. */
static uint32_t list(struct requests *requests, const struct store_request *store,
                     struct listed_table *tables, uint32_t most)
{
  const struct cache *cache = requests->memory->cache;
  const uint64_t now_ms = uv_now(requests->peers->loop);
  uint32_t count = solves_list(requests->solves, tables, most);
  for (const struct link *at = cache->recency.next; at != &cache->recency && count < most;
       at = at->next)
    list_cached(&tables[count++], container_of(at, struct solved, recency), now_ms);
  for (uint64_t i = 0; i < store->count && count < most; i++)
    if (!cache_find(cache, &store->rows[i].id) && !solves_has(requests->solves, &store->rows[i].id))
      list_stored(&tables[count++], &store->rows[i]);
  return count;
}

static void on_listed(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct requests *requests = waiting->requests;
  const uint32_t most = (uint32_t)requests->config->messages.listed_puzzles;
  struct listed_table *tables = calloc(most, sizeof *tables);
  struct store_row *rows = store->rows;
  struct fault fault;
  if (tables) {
    /* What is in memory is on disk, too, while that works. */
    const uint64_t in_memory = requests->memory->cache->map.count;
    const uint32_t count = list(requests, store, tables, most);
    const uint64_t total = store->total > in_memory ? store->total : in_memory;
    const struct result_list result = {tables, count, total > count ? total : count};
    connection_reply(waiting->connection, &waiting->request, &result);
    waiting_end(waiting);
  } else {
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the list");
    waiting_fail(waiting, &fault);
  }
  free(tables);
  free(rows);
}

/* By then `puzzle_id` is a whole id. */
static void on_forgotten(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct cache *cache = waiting->requests->memory->cache;
  struct solved *solved = NULL;
  struct fault fault;
  if (!waiting_was_stored(waiting, "the puzzle could not be removed from disk"))
    return;
  struct result_evict result = {store->count, store->bytes};
  if (cache_find_prefix(cache, waiting->request.puzzle_id, &solved) == 1) {
    result = (struct result_evict){1, result.bytes + solved->bytes};
    cache_evict(cache, solved);
  }
  if (result.evicted == 0) {
    fault_set(&fault, ERROR_UNKNOWN_ID, "no solved puzzle has id %s", waiting->request.puzzle_id);
    waiting_fail(waiting, &fault);
    return;
  }
  connection_reply(waiting->connection, &waiting->request, &result);
  waiting_end(waiting);
}

static void forget(struct waiting *waiting, const struct id *id, struct posed *posed)
{
  (void)posed;
  id_format(id, waiting->request.puzzle_id);
  waiting->store.done = on_forgotten;
  waiting_for_store(waiting, store_forget(waiting->requests->store, &waiting->store, id));
}

static void on_cleared(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct cache *cache = waiting->requests->memory->cache;
  if (!waiting_was_stored(waiting, "not everything could be removed from disk"))
    return;
  uint64_t in_memory = cache->map.count, before_bytes = cache->bytes;
  cache_clear(cache);
  const struct result_evict result = {
      store->count > in_memory ? store->count : in_memory,
      store->bytes + before_bytes - cache->bytes, /* tables in use live on for a while */
  };
  connection_reply(waiting->connection, &waiting->request, &result);
  waiting_end(waiting);
}

void cache_request(struct requests *requests, struct connection *connection,
                   struct request *request)
{
  const enum method method = request->method;
  const bool is_for_nobody = method == METHOD_LIST && request->notification;
  struct waiting *waiting = is_for_nobody ? NULL : waiting_new(requests, connection, request);
  if (!waiting)
    return;
  struct store_request *store = &waiting->store;
  if (method == METHOD_EVICT) {
    pose_by_id(waiting, forget);
  } else if (method == METHOD_CLEAR) {
    store->done = on_cleared;
    waiting_for_store(waiting, store_clear(requests->store, store));
  } else {
    store->done = on_listed;
    waiting_for_store(waiting, store_list(requests->store, store,
                                          (uint32_t)requests->config->messages.listed_puzzles));
  }
}
