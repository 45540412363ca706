/*
 * The happy path: made by a handler, listed in its connection, answered by a solve's or a check's end.
 * It also ends when its connection closes, when it is cancelled, and when its wait_ms are over.
 */
#include "daemon/pending.h"

#include <stdlib.h>

#include "daemon/checks.h"
#include "daemon/replies.h"
#include "daemon/sending.h"

enum { TICK_MS = 100 };

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
  list_init(&pending->deadline);
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
  list_remove(&pending->deadline);
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

static void arm_deadline(struct server *server)
{
  uv_timer_stop(&server->deadline);
  if (list_empty(&server->deadlines))
    return;
  struct pending *first = container_of(server->deadlines.next, struct pending, deadline);
  uint64_t now_ms = uv_now(&server->loop);
  uint64_t left_ms = first->deadline_ms > now_ms ? first->deadline_ms - now_ms : 0;
  uv_timer_start(&server->deadline, pending_on_deadline, left_ms, 0);
}

void pending_set_deadline(struct pending *pending, uint64_t wait_ms)
{
  struct server *server = pending->connection->server;
  pending->deadline_ms = uv_now(&server->loop) + wait_ms;
  struct link *after = server->deadlines.prev;
  while (after != &server->deadlines &&
         container_of(after, struct pending, deadline)->deadline_ms > pending->deadline_ms)
    after = after->prev;
  list_prepend(after, &pending->deadline);
  arm_deadline(server);
}

static void end_wait(struct pending *pending)
{
  const struct result_solve solving = {.solving = true};
  connection_reply(pending->connection, &pending->request, &solving);
  solves_leave(&pending->connection->server->solves, &pending->asker, true);
  pending_end(pending);
}

void pending_on_deadline(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, deadline);
  uint64_t now_ms = uv_now(&server->loop);
  while (!list_empty(&server->deadlines)) {
    struct pending *first = container_of(server->deadlines.next, struct pending, deadline);
    if (first->deadline_ms > now_ms)
      break;
    end_wait(first);
  }
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
