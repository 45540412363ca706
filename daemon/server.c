/*
 * The loop runs until a signal, `shutdown` or idleness drains it; once the last connection has its answers, or
 * the time for that is up, everything is closed and the loop returns.
 */
#include "daemon/server.h"

#include <signal.h>
#include <string.h>

#include "daemon/accept.h"
#include "daemon/connection.h"
#include "daemon/disposal.h"
#include "daemon/pending.h"
#include "daemon/timers.h"

static void end_when_drained(struct server *server);

void server_wake(void *context)
{
  struct server *server = context;
  uv_async_send(&server->woken);
}

static void on_woken(uv_async_t *woken)
{
  struct server *server = container_of(woken, struct server, woken);
  if (server->ended)
    return;
  workers_collect(server->solvers);
  workers_collect(server->helpers);
  store_collect(server->store);
  solves_continue(&server->solves);
  server_flush(server);
  end_when_drained(server);
}

void server_flush(struct server *server)
{
  for (struct link *link; (link = list_pop(&server->touched));)
    connection_continue(container_of(link, struct connection, touched));
}

static void on_polled(uv_check_t *polled)
{
  struct server *server = container_of(polled, struct server, polled);
  server_flush(server);
  disposal_of_round(server);
}

static void close_handle(uv_handle_t *handle, void *context)
{
  (void)context;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

/* Gives up whatever is left; the loop returns once all handles have closed. */
static void server_end(struct server *server)
{
  if (server->ended)
    return;
  server->ended = true;
  while (!list_empty(&server->connections))
    connection_close(container_of(server->connections.next, struct connection, link));
  solves_close(&server->solves);
  workers_free(server->solvers);
  workers_free(server->helpers);
  store_free(server->store);
  server->store = NULL;
  uv_walk(&server->loop, close_handle, NULL);
}

/* Everyone has his answers, and what they are worth keeping is on disk. */
static void end_when_drained(struct server *server)
{
  if (server->draining && server->connection_count == 0 && store_is_idle(server->store))
    server_end(server);
}

static void on_drained_too_long(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, draining_timer);
  log_line(&server->log, LOG_WARNING, "%u requests were given up", server->waiting_count);
  server_end(server);
}

void server_drain(struct server *server, const char *why)
{
  if (server->draining)
    return;
  server->draining = true;
  log_line(&server->log, LOG_INFO, "leaving: %s", why);
  notifier_send(&server->notifier, "STOPPING=1");
  accept_stop(server);
  uv_timer_start(&server->draining_timer, on_drained_too_long, server->config.limits.drain_ms, 0);
  for (struct link *at = server->connections.next; at != &server->connections; at = at->next)
    connection_touch(container_of(at, struct connection, link));
  store_tick(server->store, uv_now(&server->loop));
  server_wake(server);
}

static void on_idle(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, idle);
  server_drain(server, "nobody was connected for a while");
}

void server_watch_idleness(struct server *server)
{
  if (server->config.idle_exit_ms > 0)
    uv_timer_start(&server->idle, on_idle, server->config.idle_exit_ms, 0);
}

void server_connection_gone(struct server *server)
{
  if (--server->connection_count > 0)
    return;
  if (server->ended)
    return;
  if (server->draining)
    server_wake(server);
  else
    server_watch_idleness(server);
}

static void on_signal(uv_signal_t *handle, int number)
{
  struct server *server = handle->data;
  server_drain(server, strsignal(number));
}

void server_released(void *context)
{
  struct server *server = context;
  if (server->ended)
    return;
  solves_start_waiting(&server->solves);
  if (server->draining)
    server_wake(server);
}

static void watch_signal(struct server *server, uv_signal_t *handle, int number)
{
  uv_signal_init(&server->loop, handle);
  handle->data = server;
  uv_signal_start(handle, on_signal, number);
}

/* On one processor it would only keep the peer from asking. */
static uint64_t spin_most_us(const struct config *config)
{
  return uv_available_parallelism() > 1 ? config->limits.spin_us : 0;
}

int server_loop_init(struct server *server)
{
  int result = uv_loop_init(&server->loop);
  if (result == 0)
    result = timers_init(server);
  if (result < 0)
    return result;
  uv_check_init(&server->loop, &server->polled);
  uv_check_start(&server->polled, on_polled);
  spin_init(&server->spin, &server->loop, spin_most_us(&server->config), &server->solves.started);
  watch_signal(server, &server->sigterm, SIGTERM);
  watch_signal(server, &server->sigint, SIGINT);
  return uv_async_init(&server->loop, &server->woken, on_woken);
}
