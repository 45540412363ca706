/* `hello`, `status`, `cancel` and `shutdown`. None of them needs a puzzle. */
#include "daemon/admin.h"

#include <unistd.h>

#include "daemon/pending.h"
#include "daemon/replies.h"
#include "solver/solve.h"

static void note_client(const struct log *log, const struct request *request)
{
  const char *name = request_has(request, PARAM_CLIENT) ? request->client : "somebody";
  const char *version = request_has(request, PARAM_VERSION) ? request->version : "";
  log_line(log, LOG_DEBUG, "hello from %s%s%s", name, *version ? " " : "", version);
}

void admin_hello(struct connection *connection, const struct request *request)
{
  const struct config *config = &connection->server->config;
  const char *methods[METHOD_COUNT];
  struct named_limit limits[LIMITS_COUNT];
  for (enum method method = 0; method < METHOD_COUNT; method++)
    methods[method] = method_kinds[method].name;
  limits_name(&config->messages, &config->limits, limits);
  note_client(&connection->server->log, request);
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

void admin_status(struct connection *connection, const struct request *request)
{
  const struct server *server = connection->server;
  struct named_limit limits[LIMITS_COUNT];
  struct workers_load load = workers_load(server->solvers);
  limits_name(&server->config.messages, &server->config.limits, limits);
  struct result_status result = {
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
      .kept_bytes = solve_kept_bytes(),
      .draining = server->draining,
      .limits = limits,
      .limits_count = LIMITS_COUNT,
  };
  store_status(server->store, &result.store);
  connection_reply(connection, request, &result);
}

void admin_cancel(struct connection *connection, const struct request *request)
{
  struct pending *pending =
      request_has(request, PARAM_REQUEST) ? pending_find(connection, &request->cancels) : NULL;
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
