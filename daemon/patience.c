/*
 * One ticker for all: it comes four times within the shortest of the times allowed, so that each is kept
 * to a quarter, and looks at every connection. It runs only while there are connections, solves or memory that
 * they have left.
 */
#include "daemon/patience.h"

#include <inttypes.h>

#include "daemon/connection.h"
#include "daemon/receiving.h"
#include "daemon/replies.h"
#include "daemon/sending.h"

enum { LOOK_MS_MIN = 5, LOOK_MS_MAX = 1000 };

static bool is_over(uint64_t time_ms, uint64_t limit_ms)
{
  return limit_ms > 0 && time_ms >= limit_ms;
}

static void refuse_unfinished(struct connection *connection, uint64_t limit_ms)
{
  struct fault fault;
  fault_set(&fault, ERROR_TIMEOUT, "a message was not whole after the %" PRIu64 " ms allowed",
            limit_ms);
  connection_fail_id(connection, &(struct request_id){.kind = REQUEST_ID_NONE}, &fault);
  connection->broken = true;
  connection_touch(connection);
}

static bool is_idle(const struct connection *connection)
{
  return connection->waiting_count == 0 && !connection->large.busy && !connection->stalled &&
         !sending_is_pending(connection);
}

static void look_at(struct connection *connection)
{
  struct server *server = connection->server;
  const struct daemon_limits *limits = &server->config.limits;
  if (is_over(sending_stuck_ms(connection), limits->unread_ms)) {
    log_line(&server->log, LOG_WARNING, "a connection was closed: its peer reads no answers");
    connection_close(connection);
  } else if (is_over(receiving_unfinished_ms(connection), limits->message_ms)) {
    refuse_unfinished(connection, limits->message_ms);
  } else if (is_idle(connection) &&
             is_over(uv_now(&server->loop) - connection->active_ms, limits->idle_ms)) {
    connection_close(connection);
  }
}

static uint64_t look_ms(const struct daemon_limits *limits)
{
  const uint64_t times_ms[] = {limits->unread_ms, limits->message_ms, limits->idle_ms,
                               limits->solve_ms, limits->keep_ms};
  uint64_t shortest_ms = 4 * LOOK_MS_MAX;
  for (size_t i = 0; i < sizeof times_ms / sizeof *times_ms; i++)
    if (times_ms[i] > 0 && times_ms[i] < shortest_ms)
      shortest_ms = times_ms[i];
  return shortest_ms / 4 > LOOK_MS_MIN ? shortest_ms / 4 : LOOK_MS_MIN;
}

void patience_on_look(struct ticker *ticker)
{
  struct server *server = container_of(ticker, struct server, patience);
  for (struct link *link = server->connections.next, *next; link != &server->connections;
       link = next) {
    next = link->next;
    look_at(container_of(link, struct connection, link));
  }
  solves_stop_overdue(&server->solves);
  server_flush(server);
  bool spare = spare_look(server);
  if (!spare &&
      server->connection_count + server->solves.started + server->solves.waiting_count == 0)
    ticker_stop(&server->patience);
}

void patience_begin(struct server *server)
{
  if (!server->patience.runs)
    ticker_start(&server->patience, look_ms(&server->config.limits));
}
