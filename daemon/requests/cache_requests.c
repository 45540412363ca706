/*
 * All three wait for the store, and answer about memory and disk together. What is to be forgotten leaves the cache
 * when it is off the disk.
 *
 * Failure: where the disk fails, that is told, and nothing leaves the cache.
 */
#include "daemon/requests/cache_requests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/requests/waiting.h"

/* A list that is being filled. */
struct listing {
  struct listed_table *tables;
  uint32_t count, most;
};

static struct listed_table *next_entry(struct listing *listing)
{
  return listing->count < listing->most ? &listing->tables[listing->count++] : NULL;
}

static void add_solving(void *context, const struct id *id, const struct arena *arena,
                        const struct progress *progress)
{
  struct listed_table *entry = next_entry(context);
  if (!entry)
    return;
  *entry = (struct listed_table){
      .game = arena->game,
      .nodes = arena->nodes,
      .where = PLACE_SOLVING,
      .progress = *progress,
  };
  id_format(id, entry->id);
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
  solves_each(requests->solves, add_solving, listing);
  for (struct link *at = cache->recency.next; at != &cache->recency; at = at->next) {
    if (listing->count == listing->most)
      return;
    add_cached(listing, container_of(at, struct solved, recency), now_ms);
  }
  for (uint64_t i = 0; i < rows_count; i++)
    if (!cache_find(cache, &rows[i].id) && !solves_has(requests->solves, &rows[i].id))
      add_stored(listing, &rows[i]);
}

/* What is in memory is on disk too, while the store works. */
static uint64_t count_puzzles(const struct requests *requests)
{
  struct store_numbers numbers;
  store_status(requests->store, &numbers);
  uint64_t cached = requests->memory->cache->map.count;
  return numbers.puzzles > cached ? numbers.puzzles : cached;
}

static void on_listed(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct requests *requests = waiting->requests;
  struct listing listing = {.most = (uint32_t)requests->config->messages.listed_puzzles};
  listing.tables = calloc(listing.most, sizeof *listing.tables);
  if (listing.tables) {
    fill(&listing, requests, store->rows, store->result == 0 ? store->count : 0);
    uint64_t total = count_puzzles(requests);
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

/* Where the store will not call back, `done` is called at once, and told why. */
static void begin(struct waiting *waiting, void (*done)(struct store_request *store), int result)
{
  if (result == 0)
    return;
  waiting->store.result = result;
  done(&waiting->store);
}

void cache_request_list(struct requests *requests, struct connection *connection,
                        struct request *request)
{
  struct waiting *waiting =
      request->notification ? NULL : waiting_new(requests, connection, request);
  if (!waiting)
    return;
  waiting->store.done = on_listed;
  begin(waiting, on_listed,
        store_list(requests->store, &waiting->store,
                   (uint32_t)requests->config->messages.listed_puzzles));
}

/* True where the store has done what it was asked to, or has nothing to do. */
static bool is_done(struct waiting *waiting, const char *what)
{
  int result = waiting->store.result;
  if (result == 0 || result == -ENOENT)
    return true;
  waiting_fail_in_store(waiting, what);
  return false;
}

/* Digits that begin several ids have named none, and it never comes to this. */
static void on_forgotten(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct cache *cache = waiting->requests->memory->cache;
  struct solved *solved = NULL;
  struct fault fault;
  if (!is_done(waiting, "the puzzle could not be removed from disk"))
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

static void forget(struct waiting *waiting, const struct id *id)
{
  id_format(id, waiting->request.puzzle_id);
  waiting->store.done = on_forgotten;
  begin(waiting, on_forgotten, store_forget(waiting->requests->store, &waiting->store, id));
}

/* Which puzzle do these digits name? Both the cache and the disk may have it. */
static void on_found(struct store_request *found)
{
  struct waiting *waiting = container_of(found, struct waiting, store);
  const char *digits = waiting->request.puzzle_id;
  struct solved *solved = NULL;
  struct fault fault;
  if (!is_done(waiting, "the puzzle cannot be looked for on disk"))
    return;
  uint64_t on_disk = found->result == 0 ? found->count : 0;
  uint64_t fits = cache_find_prefix(waiting->requests->memory->cache, digits, &solved);
  if (!solved || on_disk != 1 || memcmp(&solved->node.id, &found->id, sizeof found->id) != 0)
    fits += on_disk;
  arena_free(found->arena);
  found->arena = NULL;
  const struct id id = solved ? solved->node.id : found->id;
  if (fits == 1) {
    forget(waiting, &id);
    return;
  }
  fault_set(&fault, ERROR_UNKNOWN_ID,
            fits ? "more than one solved puzzle has an id that begins with %s"
                 : "no solved puzzle has id %s",
            digits);
  waiting_fail(waiting, &fault);
}

void cache_request_evict(struct requests *requests, struct connection *connection,
                         struct request *request)
{
  struct waiting *waiting = waiting_new(requests, connection, request);
  if (!waiting)
    return;
  waiting->store.done = on_found;
  begin(waiting, on_found,
        store_find(requests->store, &waiting->store, waiting->request.puzzle_id));
}

static void on_cleared(struct store_request *store)
{
  struct waiting *waiting = container_of(store, struct waiting, store);
  struct cache *cache = waiting->requests->memory->cache;
  if (!is_done(waiting, "not everything could be removed from disk"))
    return;
  uint64_t stored = store->result == 0 ? store->count : 0;
  uint64_t before_bytes = cache->bytes;
  struct result_evict result = {stored > cache->map.count ? stored : cache->map.count,
                                store->result == 0 ? store->bytes : 0};
  cache_clear(cache);
  result.bytes += before_bytes - cache->bytes; /* what is in use lives on for a while */
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
  begin(waiting, on_cleared, store_clear(requests->store, &waiting->store));
}
