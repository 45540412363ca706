/* What the daemon says of itself, and what it does with its cache. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/dispatch.h"
#include "daemon/pending.h"
#include "daemon/replies.h"

void admin_hello(struct connection *connection, const struct request *request)
{
  const struct config *config = &connection->server->config;
  const char *methods[METHOD_COUNT];
  struct named_limit limits[LIMITS_COUNT];
  for (enum method method = 0; method < METHOD_COUNT; method++)
    methods[method] = method_kinds[method].name;
  limits_name(&config->messages, &config->limits, limits);
  const struct result_hello result = {
      .name = "catmouse",
      .version = CATMOUSE_VERSION,
      .protocol = PROTOCOL_VERSION,
      .methods = methods,
      .methods_count = METHOD_COUNT,
      .limits = limits,
      .limits_count = LIMITS_COUNT,
  };
  connection_reply(connection, request, &result);
}

static struct listed_table listed(const struct server *server, const struct solved *solved)
{
  struct listed_table table = {
      .game = solved->arena->game,
      .nodes = solved->arena->nodes,
      .rows = solved->arena->rows,
      .cols = solved->arena->cols,
      .bytes = solved->bytes,
      .hits = solved->hits,
      .age_ms = uv_now(&server->loop) - solved->used_ms,
      .where = SOURCE_MEMORY,
      .current = solved == server->cache.current,
  };
  memcpy(table.id, solved->id_text, sizeof table.id);
  return table;
}

void admin_list(struct connection *connection, const struct request *request)
{
  struct server *server = connection->server;
  struct cache *cache = &server->cache;
  struct listed_table *tables = malloc((cache->map.count + 1) * sizeof *tables);
  if (!tables) {
    struct fault fault;
    fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the list");
    connection_fail(connection, request, &fault);
    return;
  }
  uint32_t count = 0;
  for (struct link *at = cache->recency.next; at != &cache->recency; at = at->next)
    tables[count++] = listed(server, container_of(at, struct solved, recency));
  const struct result_list result = {tables, count};
  connection_reply(connection, request, &result);
  free(tables);
}

void admin_evict(struct connection *connection, const struct request *request)
{
  struct fault fault;
  struct solved *solved = find_named(connection->server, request, &fault);
  if (!solved) {
    connection_fail(connection, request, &fault);
    return;
  }
  const struct result_evict result = {1, solved->bytes};
  cache_evict(&connection->server->cache, solved);
  connection_reply(connection, request, &result);
}

void admin_clear(struct connection *connection, const struct request *request)
{
  struct cache *cache = &connection->server->cache;
  struct result_evict result = {0, 0};
  while (!list_empty(&cache->recency)) {
    struct solved *solved = container_of(cache->recency.next, struct solved, recency);
    result.evicted++;
    result.bytes += solved->bytes;
    cache_evict(cache, solved);
  }
  connection_reply(connection, request, &result);
}

void admin_status(struct connection *connection, const struct request *request)
{
  const struct server *server = connection->server;
  struct named_limit limits[LIMITS_COUNT];
  struct workers_load load = workers_load(server->solvers);
  limits_name(&server->config.messages, &server->config.limits, limits);
  const struct result_status result = {
      .version = CATMOUSE_VERSION,
      .pid = (uint64_t)getpid(),
      .uptime_ms = uv_now(&server->loop) - server->started_ms,
      .connections = server->connection_count,
      .jobs_running = load.running,
      .jobs_queued = load.queued + server->solves.waiting_count,
      .requests = server->requests,
      .hits = server->hits,
      .misses = server->misses,
      .solves = server->solves.solved,
      .tables = server->cache.map.count,
      .bytes = server->cache.bytes,
      .draining = server->draining,
      .limits = limits,
      .limits_count = LIMITS_COUNT,
  };
  connection_reply(connection, request, &result);
}

void admin_cancel(struct connection *connection, const struct request *request)
{
  struct pending *pending = pending_find(connection, &request->cancels);
  const struct result_cancel result = {pending != NULL};
  if (pending) {
    struct fault fault;
    fault_set(&fault, ERROR_CANCELLED, "the request was cancelled");
    connection_fail(connection, &pending->request, &fault);
    pending_give_up(pending);
  }
  connection_reply(connection, request, &result);
}

void admin_shutdown(struct connection *connection, const struct request *request)
{
  const struct result_shutdown result = {connection->server->waiting_count};
  connection_reply(connection, request, &result);
  server_drain(connection->server, "asked to");
}
