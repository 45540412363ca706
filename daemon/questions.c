/*
 * Questions about a table at hand are answered at once. A puzzle that isn't solved yet becomes a
 * pending request, answered by the same functions when its solve ends. One that is named by its id, and is
 * not in memory, is looked for on disk (deferral.h); what is found there is solved as if the request had
 * held it.
 */
#include "daemon/questions.h"

#include <errno.h>

#include "daemon/answers.h"
#include "daemon/checks.h"
#include "daemon/deferral.h"
#include "daemon/named.h"
#include "daemon/pending.h"
#include "daemon/replies.h"

enum { NOTE_MS = 60000 };

/* The store need not know of every single hit. */
static void touch(struct server *server, struct solved *solved)
{
  uint64_t now_ms = uv_now(&server->loop);
  cache_touch(&server->cache, solved, now_ms);
  if (now_ms - solved->noted_ms < NOTE_MS)
    return;
  solved->noted_ms = now_ms;
  store_touch(server->store, &solved->node.id);
}

static void count_hit(struct server *server, struct solved *solved)
{
  server->hits++;
  touch(server, solved);
}

/* Answers once a pass over the table is done, or at once from it. Takes the request where it must wait. */
static void answer_with(struct connection *connection, struct request *request, struct state start,
                        struct solved *solved, enum source source)
{
  if (request->notification)
    return;
  if (request->method == METHOD_STATS || request->method == METHOD_VERIFY)
    check_start(connection, request, solved);
  else
    answer_from(connection, request, start, solved, source);
}

static void on_solved(struct asker *asker, struct solved *solved, const struct fault *fault)
{
  struct pending *pending = container_of(asker, struct pending, asker);
  struct connection *connection = pending->connection;
  if (solved) {
    touch(connection->server, solved);
    answer_with(connection, &pending->request, pending->start, solved, solved->source);
  } else {
    connection_fail(connection, &pending->request, fault);
  }
  pending_end(pending);
}

/* `solve` with wait_ms 0: the answer is known, and nobody is kept waiting. */
static int solve_in_background(struct connection *connection, struct incoming *incoming,
                               struct fault *fault)
{
  int result =
      solves_ask(&connection->server->solves, &incoming->arena, &incoming->id, NULL, fault);
  if (result < 0)
    return result;
  connection_reply_solving(connection, &incoming->request, &incoming->id);
  return 0;
}

static int wait_no_longer_than_asked(struct pending *pending, struct fault *fault)
{
  const struct request *request = &pending->request;
  if (!request_has(request, PARAM_WAIT_MS) || pending_set_deadline(pending, request->wait_ms) == 0)
    return 0;
  return fault_set(fault, ERROR_NO_MEMORY, "out of memory for the wait");
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
  pending->asker.recalls = incoming->recalls > 0;
  int result = wait_no_longer_than_asked(pending, fault);
  if (result == 0)
    result = solves_ask(&connection->server->solves, &incoming->arena, &incoming->id,
                        &pending->asker, fault);
  if (result < 0) {
    connection_fail(connection, &pending->request, fault);
    pending_end(pending);
  }
  return 0;
}

static int ask_for_solve(struct connection *connection, struct incoming *incoming,
                         struct fault *fault)
{
  struct request *request = &incoming->request;
  if (connection->server->draining && incoming->recalls == 0)
    return fault_set(fault, ERROR_DRAINING, "the daemon is shutting down");
  if (request_has(request, PARAM_STATE) && answer_check_state(request, incoming->arena, fault) < 0)
    return -EBADMSG;
  if (!store_may_have_table(connection->server->store, &incoming->id))
    connection->server->misses++;
  if (request_has(request, PARAM_WAIT_MS) && request->wait_ms == 0)
    return solve_in_background(connection, incoming, fault);
  return solve_and_wait(connection, incoming, fault);
}

/* About a puzzle that the request, or the store, has given. */
static void handle_puzzle(struct connection *connection, struct incoming *incoming)
{
  struct server *server = connection->server;
  struct state start = incoming->arena->start;
  struct solved *solved = cache_find(&server->cache, &incoming->id);
  struct fault fault;
  if (!solved) {
    if (ask_for_solve(connection, incoming, &fault) < 0)
      connection_fail(connection, &incoming->request, &fault);
    return;
  }
  count_hit(server, solved);
  if (incoming->recalls == 0) {
    cache_set_current(&server->cache, solved);
    store_set_current(server->store, &solved->node.id);
  }
  answer_with(connection, &incoming->request, start, solved, SOURCE_MEMORY);
}

/* About a puzzle that is named by its id, or not named at all. */
static void handle_named(struct connection *connection, struct incoming *incoming)
{
  struct named named;
  struct fault fault;
  int result = find_named(connection->server, &incoming->request, &named, &fault);
  if (result == 0 && named.solved) {
    count_hit(connection->server, named.solved);
    answer_with(connection, &incoming->request, (struct state){0}, named.solved, SOURCE_MEMORY);
    return;
  }
  if (result == 0)
    fault_set(&fault, ERROR_INTERNAL, "the puzzle on disk cannot be read");
  if (!defer(connection, incoming, result == 0 ? named.stored : NULL, &fault))
    connection_fail(connection, &incoming->request, &fault);
}

/* Where the request only named the puzzle, the store may have brought it by now. */
void question_answer(struct connection *connection, struct incoming *incoming)
{
  if (incoming->arena)
    handle_puzzle(connection, incoming);
  else
    handle_named(connection, incoming);
}

void question_check(struct connection *connection, struct incoming *incoming)
{
  struct server *server = connection->server;
  struct fault fault;
  if (workers_load(server->solvers).queued < server->config.limits.queued_solves) {
    question_answer(connection, incoming);
    return;
  }
  fault_set(&fault, ERROR_BUSY, "too many solves and checks are waiting already");
  connection_fail(connection, &incoming->request, &fault);
}
