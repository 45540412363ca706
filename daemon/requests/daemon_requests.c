#include "daemon/requests/daemon_requests.h"

#include <unistd.h>

#include "daemon/requests/waiting.h"
#include "solver/solve.h"

static void note_client(const struct log *log, const struct request *request)
{
  const char *name = request_has(request, PARAM_CLIENT) ? request->client : "somebody";
  const char *version = request_has(request, PARAM_VERSION) ? request->version : "";
  log_line(log, LOG_DEBUG, "hello from %s%s%s", name, *version ? " " : "", version);
}

void daemon_request_hello(struct requests *requests, struct connection *connection,
                          const struct request *request)
{
  const struct config *config = requests->config;
  const char *methods[METHOD_COUNT];
  struct named_limit limits[LIMITS_COUNT];
  for (enum method method = 0; method < METHOD_COUNT; method++)
    methods[method] = method_kinds[method].name;
  limits_name(&config->messages, &config->limits, limits);
  note_client(requests->log, request);
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

void daemon_request_status(struct requests *requests, struct connection *connection,
                           const struct request *request)
{
  const struct cache *cache = requests->memory->cache;
  struct named_limit limits[LIMITS_COUNT];
  struct workers_load load = workers_load(requests->solvers);
  limits_name(&requests->config->messages, &requests->config->limits, limits);
  struct result_status result = {
      .version = CATMOUSE_VERSION,
      .pid = (uint64_t)getpid(),
      .uptime_ms = uv_now(requests->peers->loop) - requests->started_ms,
      .connections = requests->peers->count,
      .jobs_running = load.running,
      .jobs_queued = load.queued + requests->solves->waiting_count,
      .requests = requests->requests,
      .hits = requests->hits,
      .misses = requests->misses,
      .solves = requests->solves->solved,
      .tables = cache->map.count,
      .bytes = cache->bytes,
      .kept_bytes = solve_kept_bytes(),
      .draining = requests->draining,
      .store = status_of(requests->store),
      .limits = limits,
      .limits_count = LIMITS_COUNT,
  };
  connection_reply(connection, request, &result);
}

/* Of a puzzle, everything that this connection waits for goes. */
void daemon_request_cancel(struct requests *requests, struct connection *connection,
                           const struct request *request)
{
  bool by_puzzle = request_has(request, PARAM_CANCEL_PUZZLE);
  struct result_cancel result = {false};
  struct waiting *waiting;
  struct fault fault;
  (void)requests;
  fault_set(&fault, ERROR_CANCELLED, "the request was cancelled");
  while ((waiting = by_puzzle ? waiting_find_puzzle(connection, request->puzzle_id)
                              : waiting_find(connection, &request->cancels))) {
    if (!waiting->background)
      connection_fail(connection, &waiting->request, &fault);
    waiting_give_up(waiting);
    result.cancelled = true;
  }
  connection_reply(connection, request, &result);
}

void daemon_request_shutdown(struct requests *requests, struct connection *connection,
                             const struct request *request)
{
  const struct result_shutdown result = {requests->waiting_count};
  connection_reply(connection, request, &result);
  requests->shut_down(requests->context, "asked to");
}
