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

/* A list that is being filled. */
struct listing {
  struct listed_table *tables;
  uint32_t count, most;
};

static struct listed_table *next_entry(struct listing *listing)
{
  return listing->count < listing->most ? &listing->tables[listing->count++] : NULL;
}

static void add_cached(struct listing *listing, const struct solved *solved, uint64_t now_ms)
{
  struct listed_table *entry = next_entry(listing);
  if (!entry)
    return;
  *entry = (struct listed_table){
      .game = solved->arena->game,
      .nodes = solved->arena->nodes,
      .bytes = solved->bytes,
      .hits = solved->hits,
      .age_ms = now_ms > solved->used_ms ? now_ms - solved->used_ms : 0,
      .where = PLACE_MEMORY,
  };
  memcpy(entry->id, solved->id_text, sizeof entry->id);
}

static void add_stored(struct listing *listing, const struct store_row *row)
{
  struct listed_table *entry = next_entry(listing);
  uint64_t now_s = (uint64_t)time(NULL);
  if (!entry)
    return;
  *entry = (struct listed_table){
      .game = row->game,
      .nodes = row->nodes,
      .disk_bytes = row->bytes,
      .age_ms = now_s > row->used_s ? (now_s - row->used_s) * 1000 : 0,
      .where = PLACE_DISK,
  };
  id_format(&row->id, entry->id);
}

static void fill(struct listing *listing, struct requests *requests, const struct store_row *rows,
                 uint64_t rows_count)
{
  struct cache *cache = requests->memory->cache;
  uint64_t now_ms = uv_now(requests->peers->loop);
  listing->count = solves_list(requests->solves, listing->tables, listing->most);
  for (struct link *at = cache->recency.next; at != &cache->recency; at = at->next) {
    if (listing->count == listing->most)
      return;
    add_cached(listing, container_of(at, struct solved, recency), now_ms);
  }
  for (uint64_t i = 0; i < rows_count; i++)
    if (!cache_find(cache, &rows[i].id) && !solves_has(requests->solves, &rows[i].id))
      add_stored(listing, &rows[i]);
}

static void on_listed(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct requests *requests = waiting->requests;
  struct listing listing = {.most = (uint32_t)requests->config->messages.listed_puzzles};
  listing.tables = calloc(listing.most, sizeof *listing.tables);
  if (listing.tables) {
    bool stored = store->result == 0;
    fill(&listing, requests, store->rows, stored ? store->count : 0);
    uint64_t total =
        requests->memory->cache->map.count; /* these are on disk, too, while that works */
    if (stored && store->total > total)
      total = store->total;
    const struct result_list result = {listing.tables, listing.count,
                                       total > listing.count ? total : listing.count};
    connection_reply(waiting->connection, &waiting->request, &result);
  } else {
    struct fault fault;
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the list");
    connection_fail(waiting->connection, &waiting->request, &fault);
  }
  free(listing.tables);
  free(store->rows);
  waiting_end(waiting);
}

void cache_request_list(struct requests *requests, struct connection *connection,
                        struct request *request)
{
  struct waiting *waiting =
      request->notification ? NULL : waiting_new(requests, connection, request);
  if (!waiting)
    return;
  waiting->store.done = on_listed;
  waiting_for_store(waiting, store_list(requests->store, &waiting->store,
                                        (uint32_t)requests->config->messages.listed_puzzles));
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
  struct result_evict result = {store->result == 0 && store->count > 0,
                                store->result == 0 ? store->bytes : 0};
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

void cache_request_evict(struct requests *requests, struct connection *connection,
                         struct request *request)
{
  struct waiting *waiting = waiting_new(requests, connection, request);
  if (waiting)
    pose_by_id(waiting, forget);
}

static void on_cleared(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct cache *cache = waiting->requests->memory->cache;
  if (!waiting_was_stored(waiting, "not everything could be removed from disk"))
    return;
  uint64_t stored = store->result == 0 ? store->count : 0;
  uint64_t before_bytes = cache->bytes;
  struct result_evict result = {stored > cache->map.count ? stored : cache->map.count,
                                store->result == 0 ? store->bytes : 0};
  cache_clear(cache);
  result.bytes += before_bytes - cache->bytes; /* tables in use live on for a while */
  connection_reply(waiting->connection, &waiting->request, &result);
  waiting_end(waiting);
}

void cache_request_clear(struct requests *requests, struct connection *connection,
                         struct request *request)
{
  struct waiting *waiting = waiting_new(requests, connection, request);
  if (!waiting)
    return;
  waiting->store.done = on_cleared;
  waiting_for_store(waiting, store_clear(requests->store, &waiting->store));
}
