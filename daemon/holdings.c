/*
 * `list`, `evict` and `clear`. All wait until the store has looked at its folder. What is to be forgotten leaves the
 * cache at once, and the answer comes when it is off the disk, too.
 *
 * Failure: where memory or the disk fails, that is told; without memory nothing is forgotten.
 */
#include "daemon/holdings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/deferral.h"
#include "daemon/named.h"
#include "daemon/pending.h"
#include "daemon/replies.h"

static struct listed_table in_memory(const struct server *server, const struct solved *solved)
{
  const struct stored *stored = store_find(server->store, &solved->node.id);
  uint64_t now_ms = uv_now(&server->loop);
  struct listed_table table = {
      .game = solved->arena->game,
      .nodes = solved->arena->nodes,
      .bytes = solved->bytes,
      .disk_bytes = stored ? stored->place.bytes + stored->table_bytes : 0,
      .hits = solved->hits,
      .age_ms = now_ms > solved->used_ms ? now_ms - solved->used_ms : 0,
      .where = PLACE_MEMORY,
  };
  memcpy(table.id, solved->id_text, sizeof table.id);
  return table;
}

static struct listed_table on_disk(const struct stored *stored)
{
  time_t now_s = time(NULL);
  struct listed_table table = {
      .game = stored->game,
      .nodes = stored->nodes,
      .disk_bytes = stored->place.bytes + stored->table_bytes,
      .age_ms = now_s > (time_t)stored->used_s ? ((uint64_t)now_s - stored->used_s) * 1000 : 0,
      .where = stored->table_bytes > 0 ? PLACE_DISK : PLACE_PUZZLE,
  };
  id_format(&stored->node.id, table.id);
  return table;
}

/* Fills at most `most` entries; returns how many. */
static uint32_t list_tables(struct server *server, struct listed_table *tables, uint32_t most)
{
  struct cache *cache = &server->cache;
  uint32_t count = 0;
  for (struct link *at = cache->recency.next; at != &cache->recency && count < most; at = at->next)
    tables[count++] = in_memory(server, container_of(at, struct solved, recency));
  for (struct stored *stored = store_first(server->store); stored && count < most;
       stored = store_next(server->store, stored)) {
    if (!cache_find(cache, &stored->node.id))
      tables[count++] = on_disk(stored);
  }
  return count;
}

/* What is in memory is on disk too, while the store works. */
static uint32_t count_puzzles(const struct server *server)
{
  uint32_t stored = store_count(server->store);
  return stored > server->cache.map.count ? stored : server->cache.map.count;
}

static void mark_current(struct server *server, struct listed_table *tables, uint32_t count)
{
  struct id id;
  char text[ID_TEXT + 1];
  if (server->cache.current)
    id = server->cache.current->node.id;
  else if (!store_current(server->store, &id))
    return;
  id_format(&id, text);
  for (uint32_t i = 0; i < count; i++)
    tables[i].current = strcmp(tables[i].id, text) == 0;
}

void holdings_list(struct connection *connection, struct incoming *incoming)
{
  struct server *server = connection->server;
  uint32_t most = (uint32_t)server->config.messages.listed_puzzles;
  if (incoming->request.notification || defer_until_loaded(connection, incoming))
    return;
  struct listed_table *tables = calloc(most, sizeof *tables);
  if (!tables) {
    struct fault fault;
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the list");
    connection_fail(connection, &incoming->request, &fault);
    return;
  }
  uint32_t count = list_tables(server, tables, most);
  mark_current(server, tables, count);
  const struct result_list result = {tables, count, count < most ? count : count_puzzles(server)};
  connection_reply(connection, &incoming->request, &result);
  free(tables);
}

static void fail_for_disk(struct pending *pending)
{
  struct fault fault;
  bool is_clear = pending->request.method == METHOD_CLEAR;
  fault_set(&fault, ERROR_INTERNAL, "%s removed from disk: %s",
            is_clear ? "not everything could be" : "the puzzle could not be",
            strerror(-pending->waiter.result));
  connection_fail(pending->connection, &pending->request, &fault);
}

/* The files are gone, too, or cannot be removed. */
static void on_forgotten(struct store_waiter *waiter)
{
  struct pending *pending = container_of(waiter, struct pending, waiter);
  if (waiter->result < 0)
    fail_for_disk(pending);
  else
    connection_reply(pending->connection, &pending->request, &pending->evicted);
  pending_end(pending);
}

static void fail_for_memory(struct connection *connection, const struct request *request)
{
  struct fault fault;
  fault_set(&fault, ERROR_NO_MEMORY, "out of memory to forget anything");
  connection_fail(connection, request, &fault);
}

/*
 * Has the store forget one puzzle, or all where `id` is NULL, which the request then waits for. 0; -ENOENT
 * where there is nothing to wait for; or -ENOMEM, which is told, and nothing is forgotten.
 */
static int forget(struct connection *connection, struct incoming *incoming, const struct id *id,
                  struct pending **waiting)
{
  struct store *store = connection->server->store;
  struct pending *pending = pending_new(connection, &incoming->request);
  if (!pending) {
    fail_for_memory(connection, &incoming->request);
    return -ENOMEM;
  }
  pending->waiter.done = on_forgotten;
  int result = id ? store_forget(store, id, &pending->waiter, &pending->evicted.bytes)
                  : store_clear(store, &pending->waiter);
  if (result == -ENOMEM) {
    fail_for_memory(connection, &pending->request);
    pending_end(pending);
    return result;
  }
  *waiting = pending;
  return result;
}

void holdings_evict(struct connection *connection, struct incoming *incoming)
{
  struct server *server = connection->server;
  struct pending *pending;
  struct named named;
  struct fault fault;
  if (defer_until_loaded(connection, incoming))
    return;
  if (find_named(server, &incoming->request, &named, &fault) < 0) {
    if (!defer(connection, incoming, NULL, &fault))
      connection_fail(connection, &incoming->request, &fault);
    return;
  }
  const struct id id = named.solved ? named.solved->node.id : named.stored->node.id;
  int result = forget(connection, incoming, &id, &pending);
  if (result == -ENOMEM)
    return;
  pending->evicted.evicted = 1;
  if (named.solved) {
    pending->evicted.bytes += named.solved->bytes;
    cache_evict(&server->cache, named.solved);
  }
  if (result < 0)
    on_forgotten(&pending->waiter);
}

void holdings_clear(struct connection *connection, struct incoming *incoming)
{
  struct server *server = connection->server;
  struct cache *cache = &server->cache;
  struct pending *pending;
  if (defer_until_loaded(connection, incoming))
    return;
  struct result_evict evicted = {count_puzzles(server), store_bytes(server->store) + cache->bytes};
  int result = forget(connection, incoming, NULL, &pending);
  if (result == -ENOMEM)
    return;
  cache_clear(cache);
  evicted.bytes -= cache->bytes; /* what is in use lives on for a while */
  pending->evicted = evicted;
  if (result < 0)
    on_forgotten(&pending->waiter);
}
