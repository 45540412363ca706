/*
 * The happy path: made by a handler, listed in its connection, answered by a solve's or a check's end.
 * It also ends when its connection closes, when it is cancelled, and when its wait_ms are over.
 */
#include "daemon/pending.h"

#include <stdlib.h>

#include "daemon/checks.h"
#include "daemon/replies.h"
#include "daemon/sending.h"
#include "daemon/solve_job.h"

enum { TICK_MS = 100, ENDED_AT_ONCE = 128 };

struct pending *pending_new(struct connection *connection, struct request *request)
{
  struct server *server = connection->server;
  struct pending *pending = calloc(1, sizeof *pending);
  if (!pending)
    return NULL;
  pending->connection = connection;
  pending->request = *request;
  *request = (struct request){.id = request->id};
  list_init(&pending->asker.link);
  list_init(&pending->waiter.link);
  list_append(&connection->waiting, &pending->link);
  connection->waiting_count++;
  if (server->waiting_count++ == 0)
    uv_timer_start(&server->tick, pending_on_tick, TICK_MS, TICK_MS);
  return pending;
}

void pending_end(struct pending *pending)
{
  struct connection *connection = pending->connection;
  list_remove(&pending->link);
  deadlines_remove(&connection->server->deadlines, &pending->deadline);
  connection->waiting_count--;
  if (--connection->server->waiting_count == 0)
    uv_timer_stop(&connection->server->tick);
  if (!connection->closing)
    connection_touch(connection);
  request_deinit(&pending->request);
  free(pending);
}

void pending_give_up(struct pending *pending)
{
  if (pending->asker.solve)
    solves_leave(&pending->connection->server->solves, &pending->asker, false);
  store_leave(&pending->waiter);
  if (pending->check)
    check_abandon(pending->check);
  pending_end(pending);
}

/* What is over already waits 1 ms: with none, libuv would call again before it looks at any peer. */
static void arm_deadline(struct server *server)
{
  const struct deadline *first = deadlines_first(&server->deadlines);
  uv_timer_stop(&server->deadline);
  if (!first)
    return;
  uint64_t now_ms = uv_now(&server->loop);
  uint64_t left_ms = first->at_ms > now_ms ? first->at_ms - now_ms : 1;
  uv_timer_start(&server->deadline, pending_on_deadline, left_ms, 0);
}

int pending_set_deadline(struct pending *pending, uint64_t wait_ms)
{
  struct server *server = pending->connection->server;
  int result =
      deadlines_add(&server->deadlines, &pending->deadline, uv_now(&server->loop) + wait_ms);
  if (result < 0)
    return result;
  arm_deadline(server);
  return 0;
}

static void end_wait(struct pending *pending)
{
  connection_reply_solving(pending->connection, &pending->request, &pending->asker.solve->node.id);
  solves_leave(&pending->connection->server->solves, &pending->asker, true);
  pending_end(pending);
}

/* False where none is over. */
static bool end_first_wait(struct server *server)
{
  struct deadline *first = deadlines_first(&server->deadlines);
  if (!first || first->at_ms > uv_now(&server->loop))
    return false;
  end_wait(container_of(first, struct pending, deadline));
  return true;
}

void pending_on_deadline(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, deadline);
  int ended = 0;
  while (ended < ENDED_AT_ONCE && end_first_wait(server))
    ended++;
  arm_deadline(server);
  server_flush(server);
}

static void tell_progress(struct pending *pending)
{
  struct connection *connection = pending->connection;
  if (!pending->request.progress || !pending->asker.solve || pending->request.notification ||
      sending_is_pending(connection)) /* who reads slowly is told less often */
    return;
  struct progress progress = solves_progress(&pending->asker);
  size_t before = connection->out.length;
  reply_progress(&connection->out, connection->framer.encoding, &pending->request.id, &progress);
  if (connection->out.failed) {
    connection->out.failed = false;
    connection->out.length = before;
  }
  connection_touch(connection);
}

void pending_on_tick(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, tick);
  for (struct link *link = server->connections.next, *next; link != &server->connections;
       link = next) {
    next = link->next;
    struct connection *connection = container_of(link, struct connection, link);
    for (struct link *at = connection->waiting.next; at != &connection->waiting; at = at->next)
      tell_progress(container_of(at, struct pending, link));
    connection_check_peer(connection);
  }
  server_flush(server);
}

struct pending *pending_find(struct connection *connection, const struct request_id *id)
{
  for (struct link *at = connection->waiting.next; at != &connection->waiting; at = at->next) {
    struct pending *pending = container_of(at, struct pending, link);
    if (request_id_equal(&pending->request.id, id))
      return pending;
  }
  return NULL;
}
