/*
 * Requests that name a table at hand are answered at once. A puzzle that isn't solved yet becomes a
 * pending request, answered by the same functions when its solve ends.
 */
#include "daemon/dispatch.h"

#include <errno.h>

#include "daemon/checks.h"
#include "daemon/pending.h"
#include "daemon/replies.h"

struct solved *find_named(struct server *server, const struct request *request, struct fault *fault)
{
  struct solved *solved = server->cache.current;
  if (!request_has(request, PARAM_ID)) {
    if (!solved)
      fault_set(fault, ERROR_NO_PUZZLE, "no puzzle was solved yet, so name one by puzzle or id");
    return solved;
  }
  uint32_t fits = cache_find_prefix(&server->cache, request->puzzle_id, &solved);
  if (fits == 1)
    return solved;
  if (fits == 0)
    fault_set(fault, ERROR_UNKNOWN_ID, "no solved puzzle has id %s", request->puzzle_id);
  else
    fault_set(fault, ERROR_UNKNOWN_ID, "%u solved puzzles have ids that begin with %s", fits,
              request->puzzle_id);
  return NULL;
}

static void count_hit(struct server *server, struct solved *solved)
{
  server->hits++;
  cache_touch(&server->cache, solved, uv_now(&server->loop));
}

static void on_solved(struct asker *asker, struct solved *solved, const struct fault *fault)
{
  struct pending *pending = container_of(asker, struct pending, asker);
  struct connection *connection = pending->connection;
  if (solved) {
    cache_touch(&connection->server->cache, solved, uv_now(&connection->server->loop));
    answer_from(connection, &pending->request, pending->start, solved, SOURCE_SOLVED);
  } else {
    connection_fail(connection, &pending->request, fault);
  }
  pending_end(pending);
}

/* `solve` with wait_ms 0: the answer is known, and nobody is kept waiting. */
static int solve_in_background(struct connection *connection, struct incoming *incoming,
                               struct fault *fault)
{
  int result = solves_ask(&connection->server->solves, incoming->arena, &incoming->id, NULL, fault);
  if (result < 0)
    return result;
  incoming->arena = NULL;
  const struct result_solve solving = {.solving = true};
  connection_reply(connection, &incoming->request, &solving);
  return 0;
}

static int solve_and_wait(struct connection *connection, struct incoming *incoming,
                          struct fault *fault)
{
  struct state start = incoming->arena->start;
  struct pending *pending = pending_new(connection, &incoming->request);
  if (!pending)
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory for the request");
  pending->start = start;
  pending->asker.answer = on_solved;
  int result = solves_ask(&connection->server->solves, incoming->arena, &incoming->id,
                          &pending->asker, fault);
  if (result < 0) {
    connection_fail(connection, &pending->request, fault);
    pending_end(pending);
    return 0;
  }
  incoming->arena = NULL;
  if (request_has(&pending->request, PARAM_WAIT_MS))
    pending_set_deadline(pending, pending->request.wait_ms);
  return 0;
}

static int ask_for_solve(struct connection *connection, struct incoming *incoming,
                         struct fault *fault)
{
  const struct request *request = &incoming->request;
  struct complaint complaint;
  if (connection->server->draining)
    return fault_set(fault, ERROR_DRAINING, "the daemon is shutting down");
  if (request_has(request, PARAM_STATE) &&
      arena_check_state(incoming->arena, &request->state, &complaint) < 0)
    return fault_set(fault, ERROR_BAD_STATE, "%s", complaint.text);
  connection->server->misses++;
  if (request_has(request, PARAM_WAIT_MS) && request->wait_ms == 0)
    return solve_in_background(connection, incoming, fault);
  return solve_and_wait(connection, incoming, fault);
}

/* `solve`, `query` and `line`. */
static void handle_question(struct connection *connection, struct incoming *incoming)
{
  struct server *server = connection->server;
  struct fault fault;
  struct state start = {0};
  struct solved *solved = NULL;
  int result = 0;
  if (incoming->arena && request_has(&incoming->request, PARAM_ID)) {
    result = fault_set(&fault, ERROR_PARAMS, "give id or puzzle, not both");
  } else if (incoming->arena) {
    start = incoming->arena->start;
    solved = cache_find(&server->cache, &incoming->id);
    if (!solved)
      result = ask_for_solve(connection, incoming, &fault);
  } else {
    solved = find_named(server, &incoming->request, &fault);
    result = solved ? 0 : -EBADMSG;
  }
  if (result < 0) {
    connection_fail(connection, &incoming->request, &fault);
  } else if (solved) {
    count_hit(server, solved);
    if (incoming->arena)
      cache_set_current(&server->cache, solved);
    answer_from(connection, &incoming->request, start, solved, SOURCE_MEMORY);
  }
}

/* `stats` and `verify`. */
static void handle_check(struct connection *connection, struct incoming *incoming)
{
  struct fault fault;
  struct solved *solved = find_named(connection->server, &incoming->request, &fault);
  if (!solved) {
    connection_fail(connection, &incoming->request, &fault);
  } else if (workers_load(connection->server->solvers).queued >=
             connection->server->config.limits.queued_solves) {
    fault_set(&fault, ERROR_BUSY, "too many solves and checks are waiting already");
    connection_fail(connection, &incoming->request, &fault);
  } else {
    count_hit(connection->server, solved);
    check_start(connection, &incoming->request, solved);
  }
}

static void handle(struct connection *connection, struct incoming *incoming)
{
  const struct request *request = &incoming->request;
  switch (request->method) {
  case METHOD_HELLO: admin_hello(connection, request); break;
  case METHOD_PING: connection_reply(connection, request, NULL); break;
  case METHOD_SOLVE:
  case METHOD_QUERY:
  case METHOD_LINE: handle_question(connection, incoming); break;
  case METHOD_STATS:
  case METHOD_VERIFY: handle_check(connection, incoming); break;
  case METHOD_LIST: admin_list(connection, request); break;
  case METHOD_EVICT: admin_evict(connection, request); break;
  case METHOD_CLEAR: admin_clear(connection, request); break;
  case METHOD_STATUS: admin_status(connection, request); break;
  case METHOD_CANCEL: admin_cancel(connection, request); break;
  case METHOD_SHUTDOWN: admin_shutdown(connection, request); break;
  case METHOD_COUNT: break;
  }
}

void dispatch(struct connection *connection, struct incoming *incoming)
{
  connection->server->requests++;
  if (connection->refused) {
    struct fault fault;
    fault_set(&fault, ERROR_BUSY, "%u connections are open already",
              connection->server->connection_count);
    connection_fail(connection, &incoming->request, &fault);
    connection->broken = true;
  } else {
    handle(connection, incoming);
  }
  incoming_deinit(incoming);
}
