/*
 * The happy path: socket, loop, pools and cache are set up; the loop runs until a signal, `shutdown` or
 * idleness drains it; once the last connection has its answers, or the time for that is up, everything is
 * closed and the loop returns. Failing to set up is told to stderr and to whoever waits for readiness.
 */
#include "daemon/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/accept.h"
#include "daemon/connection.h"
#include "daemon/descriptors.h"
#include "daemon/disposal.h"
#include "daemon/pending.h"
#include "daemon/presence.h"
#include "daemon/timers.h"

enum { PATIENCE_MS = 12000, HELPER_THREADS = 1 };

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

static void watch_idleness(struct server *server)
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
    watch_idleness(server);
}

static void on_signal(uv_signal_t *handle, int number)
{
  struct server *server = handle->data;
  server_drain(server, strsignal(number));
}

/* A table that is no longer held may make room for a solve; the last one written may end a drain. */
static void on_released(void *context)
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

static int loop_init(struct server *server)
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

static unsigned thread_count(const struct config *config)
{
  if (config->threads > 0)
    return (unsigned)config->threads;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (unsigned)processors : 1;
}

/* What needs memory and threads. On failure nothing is held. */
static int rooms_init(struct server *server)
{
  unsigned threads = thread_count(&server->config);
  int result = cache_init(&server->cache, server->config.limits.cache_bytes);
  if (result < 0)
    return result;
  result = workers_new("solver", threads, true, server_wake, server, &server->solvers);
  if (result < 0)
    goto cache;
  result = workers_new("helper", HELPER_THREADS, false, server_wake, server, &server->helpers);
  if (result < 0)
    goto solvers;
  result = solves_init(&server->solves, &server->cache, server->solvers, threads,
                       &server->config.limits);
  if (result == 0)
    return 0;
  workers_free(server->helpers);
solvers:
  workers_free(server->solvers);
cache:
  cache_deinit(&server->cache);
  return result;
}

/* Without a store the daemon serves as well. */
static void store_start(struct server *server)
{
  const struct store_options options = {
      .folder = server->config.store,
      .limits = &server->config.limits,
      .log = &server->log,
      .cache = &server->cache,
      .wake = server_wake,
      .released = on_released,
      .context = server,
  };
  if (server->config.no_store)
    return;
  int result = store_new(&options, &server->store);
  if (result < 0) {
    log_line(&server->log, LOG_WARNING, "nothing is kept on disk: %s",
             result == -ENOENT ? "neither --store, XDG_CACHE_HOME nor HOME names a folder for it"
                               : strerror(-result));
    return;
  }
  server->solves.store = server->store;
}

static void server_ready(struct server *server)
{
  server->started_ms = uv_now(&server->loop);
  log_line(&server->log, LOG_INFO, "listening on %s", server->listener.endpoint.socket);
  notifier_send(&server->notifier, "READY=1");
  timers_start(server);
  watch_idleness(server);
  presence_watch(server);
}

/* Tells whoever started the daemon how that went. */
static void tell_starter(const struct config *config, const char *text)
{
  if (config->ready_fd < 0)
    return;
  ssize_t written = write(config->ready_fd, text, strlen(text));
  written = written < 0 ? written : write(config->ready_fd, "\n", 1);
  (void)written; /* a starter that has gone is no reason not to serve */
  close(config->ready_fd);
}

static void server_close(struct server *server)
{
  uv_loop_close(&server->loop);
  timers_deinit(server);
  solves_deinit(&server->solves);
  cache_deinit(&server->cache);
  buffer_deinit(&server->scratch);
  deadlines_deinit(&server->deadlines);
  notifier_deinit(&server->notifier);
  close(server->listener.fd);
  close(server->spare_fd);
}

static int fail_to_start(struct server *server, int result)
{
  char why[128];
  snprintf(why, sizeof why, "the daemon could not set up its loop, threads or memory: %s",
           strerror(-result));
  log_line(&server->log, LOG_ERROR, "%s", why);
  tell_starter(&server->config, why);
  listener_unlink(&server->listener);
  return EXIT_FAILURE;
}

static int serve(struct server *server)
{
  int result = descriptors_raise(server->config.limits.connections);
  if (result == 0)
    result = loop_init(server);
  if (result == 0)
    result = rooms_init(server);
  if (result == 0)
    result = accept_start(server);
  if (result < 0)
    return fail_to_start(server, result);
  store_start(server);
  server_ready(server);
  tell_starter(&server->config, "ready");
  uv_run(&server->loop, UV_RUN_DEFAULT);
  server_close(server);
  return EXIT_SUCCESS;
}

int server_run(const struct config *config)
{
  struct fault fault;
  struct server *server = calloc(1, sizeof *server);
  if (!server)
    return EXIT_FAILURE;
  server->config = *config;
  log_init(&server->log, config->log_level);
  notifier_init(&server->notifier);
  buffer_init(&server->scratch);
  list_init(&server->connections);
  list_init(&server->touched);
  deadlines_init(&server->deadlines);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a file too large is an error like others */

  int status = EXIT_SUCCESS;
  int result = listener_open(&server->listener, config->socket, PATIENCE_MS, &fault);
  if (result == 0) {
    status = serve(server);
    listener_release(&server->listener);
  } else {
    bool served = result == LISTENER_SERVED;
    log_line(&server->log, served ? LOG_INFO : LOG_ERROR, "%s", fault.text);
    tell_starter(config, served ? "ready" : fault.text);
    status = served ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  free(server);
  return status;
}
