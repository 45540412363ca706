/*
 * Each method goes to its handler. `hello`, `status`, `cancel` and `shutdown`, none of which needs a puzzle, are
 * answered here.
 */
#include "daemon/requests/requests.h"

#include <string.h>
#include <unistd.h>

#include "daemon/requests/cache_requests.h"
#include "daemon/requests/puzzle_requests.h"
#include "daemon/requests/waiting.h"
#include "solver/solve.h"

enum {
  LIMITS_COUNT = (sizeof(struct message_limits) + sizeof(struct daemon_limits)) / sizeof(uint64_t)
};

static void name_limits(const struct config *config, struct named_limit named[static LIMITS_COUNT])
{
#define X(field, ...) *named++ = (struct named_limit){#field, config->messages.field};
  PROTO_LIMITS(X)
#undef X
#define X(field, ...) *named++ = (struct named_limit){#field, config->limits.field};
  DAEMON_LIMITS(X)
#undef X
}

static void answer_hello(struct requests *requests, struct connection *connection,
                         const struct request *request)
{
  const struct config *config = requests->config;
  const char *client = request_has(request, PARAM_CLIENT) ? request->client : "somebody";
  const char *version = request_has(request, PARAM_VERSION) ? request->version : "";
  const char *methods[METHOD_COUNT];
  struct named_limit limits[LIMITS_COUNT];
  for (enum method method = 0; method < METHOD_COUNT; method++)
    methods[method] = method_kinds[method].name;
  name_limits(config, limits);
  log_line(&config->log, LOG_DEBUG, "hello from %s%s%s", client, *version ? " " : "", version);
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

static struct store_status status_of(struct store *store)
{
  static const enum store_state states[] = {
      [STORE_CONDITION_OFF] = STORE_OFF,
      [STORE_CONDITION_OPENING] = STORE_OPENING,
      [STORE_CONDITION_ON] = STORE_ON,
      [STORE_CONDITION_FAILING] = STORE_FAILING,
  };
  struct store_numbers numbers;
  store_status(store, &numbers);
  return (struct store_status){
      .state = states[numbers.condition],
      .folder = numbers.folder,
      .error = numbers.error,
      .puzzles = numbers.puzzles,
      .bytes = numbers.bytes,
      .unkept = numbers.unkept,
      .damaged = numbers.damaged,
  };
}

static void answer_status(struct requests *requests, struct connection *connection,
                          const struct request *request)
{
  const struct cache *cache = requests->memory->cache;
  struct named_limit limits[LIMITS_COUNT];
  struct workers_load load = workers_load(requests->solvers);
  name_limits(requests->config, limits);
  struct result_status result = {
      .version = CATMOUSE_VERSION,
      .pid = (uint64_t)getpid(),
      .uptime_ms = uv_now(requests->peers->loop) - requests->started_ms,
      .connections = requests->peers->count,
      .jobs_running = load.running,
      .jobs_queued = load.queued + requests->solves->count[SOLVE_WAITING],
      .requests = requests->requests,
      .hits = requests->hits,
      .misses = requests->misses,
      .solves = requests->solves->solved,
      .tables = cache->map.count,
      .bytes = cache->bytes,
      .kept_bytes = solve_kept_bytes(),
      .draining = requests->peers->draining,
      .store = status_of(requests->store),
      .limits = limits,
      .limits_count = LIMITS_COUNT,
  };
  connection_reply(connection, request, &result);
}

static bool is_about(const struct waiting *waiting, const struct request *cancel)
{
  if (!request_has(cancel, PARAM_CANCEL_PUZZLE))
    return request_id_equal(&waiting->request.id, &cancel->cancels);
  const char *digits = cancel->puzzle_id;
  return waiting->asker.solve && strncmp(asker_id(&waiting->asker), digits, strlen(digits)) == 0;
}

/* A puzzle's id cancels all requests of this connection that wait for its solve. */
static void answer_cancel(struct connection *connection, const struct request *request)
{
  struct result_cancel result = {false};
  struct fault fault;
  fault_set(&fault, ERROR_CANCELLED, "the request was cancelled");
  for (struct link *at = connection->waiting.next, *next; at != &connection->waiting; at = next) {
    struct waiting *waiting = container_of(at, struct waiting, link);
    next = at->next;
    if (!is_about(waiting, request))
      continue;
    connection_fail(connection, &waiting->request, &fault);
    waiting_give_up(waiting);
    result.cancelled = true;
  }
  connection_reply(connection, request, &result);
}

static void answer_shutdown(struct requests *requests, struct connection *connection,
                            const struct request *request)
{
  const struct result_shutdown result = {requests->waiting_count};
  connection_reply(connection, request, &result);
  requests->shut_down(requests->context, "asked to");
}

void requests_init(struct requests *requests)
{
  list_init(&requests->large_puzzles);
  buffer_init(&requests->scratch);
  requests->deadline_ms = UINT64_MAX;
  requests->started_ms = uv_now(requests->peers->loop);
}

void requests_deinit(struct requests *requests)
{
  buffer_deinit(&requests->scratch);
}

static void dispatch(struct requests *requests, struct connection *connection,
                     struct request *request)
{
  switch (request->method) {
  case METHOD_HELLO: answer_hello(requests, connection, request); break;
  case METHOD_PING: connection_reply(connection, request, NULL); break;
  case METHOD_SOLVE:
  case METHOD_QUERY:
  case METHOD_LINE:
  case METHOD_EXPLAIN:
  case METHOD_STATS:
  case METHOD_VERIFY: puzzle_request(requests, connection, request); break;
  case METHOD_LIST:
  case METHOD_EVICT:
  case METHOD_CLEAR: cache_request(requests, connection, request); break;
  case METHOD_STATUS: answer_status(requests, connection, request); break;
  case METHOD_CANCEL: answer_cancel(connection, request); break;
  case METHOD_SHUTDOWN: answer_shutdown(requests, connection, request); break;
  case METHOD_COUNT: break;
  }
}

void requests_handle(struct requests *requests, struct connection *connection,
                     struct request *request)
{
  requests->requests++;
  dispatch(requests, connection, request);
  request_deinit(request);
}
