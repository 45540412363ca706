/*
 * The happy path: socket, loop, threads, cache and store are set up, whoever started the daemon is told, and the
 * loop runs until a signal, `shutdown` or idleness drains it. Once the last connection has its answers and the store
 * has written what waits, or the time for that is up, everything is closed and the loop returns.
 *
 * Failure: what cannot be set up is told to stderr and to whoever waits for readiness. Without a store the daemon
 * serves as well. A daemon whose socket is gone leaves, so that another can take its place.
 */
#include "daemon/server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/notify.h"
#include "daemon/peers/accept.h"
#include "daemon/peers/listener.h"
#include "daemon/requests/requests.h"
#include "solver/solve.h"

enum { LOCK_WAIT_MS = 12000 };

struct server {
  struct config config;
  struct log log;
  struct notifier notifier;
  struct listener listener;
  uv_loop_t loop;
  uv_async_t woken;  /* a thread has finished something */
  uv_check_t polled; /* everything that was readable has been read */
  uv_signal_t sigterm, sigint;
  uv_fs_event_t folder_watch; /* of the socket's folder */
  uv_timer_t idle;            /* since nobody was connected */
  uv_timer_t drain;           /* ends a drain that takes too long */
  uv_timer_t watchdog;
  uv_timer_t store_tick; /* runs while somebody waits for the store */
  struct workers *solvers, *readers, *writers;
  struct cache cache;
  struct memory memory;
  struct store *store; /* NULL where nothing is kept on disk */
  struct solves solves;
  struct requests requests;
  struct acceptor acceptor;
  struct peers peers;
  bool draining;
  bool ended; /* the handles are closing */
};

static void wake(void *context)
{
  struct server *server = context;
  uv_async_send(&server->woken);
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
  peers_close(&server->peers);
  solves_close(&server->solves);
  workers_free(server->solvers);
  workers_free(server->writers);
  store_close(server->store);
  server->memory.helpers = NULL;
  workers_free(server->readers);
  server->peers.readers = NULL;
  uv_walk(&server->loop, close_handle, NULL);
}

static void end_when_drained(struct server *server)
{
  if (server->draining && server->peers.count == 0 && store_is_idle(server->store))
    server_end(server);
}

static void on_woken(uv_async_t *woken)
{
  struct server *server = container_of(woken, struct server, woken);
  if (server->ended)
    return;
  workers_collect(server->solvers);
  workers_collect(server->readers);
  workers_collect(server->writers);
  store_collect(server->store);
  requests_continue(&server->requests);
  solves_continue(&server->solves);
  peers_flush(&server->peers);
  end_when_drained(server);
}

static void on_store_tick(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, store_tick);
  store_expire(server->store, uv_now(&server->loop));
  peers_flush(&server->peers);
  if (!store_is_waiting(server->store))
    uv_timer_stop(timer);
}

static void on_polled(uv_check_t *polled)
{
  struct server *server = container_of(polled, struct server, polled);
  if (server->ended)
    return;
  peers_flush(&server->peers);
  memory_tend(&server->memory);
  if (store_is_waiting(server->store) && !uv_is_active((uv_handle_t *)&server->store_tick))
    uv_timer_start(&server->store_tick, on_store_tick, STORE_TICK_MS, STORE_TICK_MS);
}

static void on_drained_too_long(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, drain);
  log_line(&server->log, LOG_WARNING, "%u requests were given up", server->requests.waiting_count);
  server_end(server);
}

static void server_drain(void *context, const char *why)
{
  struct server *server = context;
  if (server->draining)
    return;
  server->draining = server->requests.draining = true;
  log_line(&server->log, LOG_INFO, "leaving: %s", why);
  notifier_send(&server->notifier, "STOPPING=1");
  accept_stop(&server->acceptor);
  listener_unlink(&server->listener);
  uv_timer_start(&server->drain, on_drained_too_long, server->config.limits.drain_ms, 0);
  peers_drain(&server->peers);
  store_drain(server->store);
  wake(server);
}

static void on_signal(uv_signal_t *handle, int number)
{
  server_drain(handle->data, strsignal(number));
}

static void on_idle(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, idle);
  if (server->peers.count == 0)
    server_drain(server, "nobody was connected for a while");
}

/* The last connection has gone, or there was none yet. */
static void on_alone(void *context)
{
  struct server *server = context;
  if (server->ended)
    return;
  if (server->draining)
    wake(server);
  else if (server->config.idle_exit_ms > 0)
    uv_timer_start(&server->idle, on_idle, server->config.idle_exit_ms, 0);
}

static bool on_look(void *context)
{
  struct server *server = context;
  solves_stop_overdue(&server->solves);
  bool keeps_memory = memory_trim(&server->memory, uv_now(&server->loop));
  return keeps_memory || server->solves.running_count + server->solves.waiting_count > 0;
}

static void on_request(void *context, struct connection *connection, struct request *request)
{
  struct server *server = context;
  requests_handle(&server->requests, connection, request);
}

static void on_leave(void *context, struct connection *connection)
{
  (void)context;
  requests_leave(connection);
}

static bool admits(void *context, uint64_t bytes)
{
  struct server *server = context;
  return memory_admits_messages(&server->memory, bytes);
}

static void look_for_socket(struct server *server)
{
  if (server->draining || listener_is_present(&server->listener))
    return;
  log_line(&server->log, LOG_WARNING, "%s is gone or is another's by now",
           server->listener.endpoint.socket);
  server_drain(server, "nobody can reach it any longer");
}

static void on_folder_changed(uv_fs_event_t *watch, const char *name, int events, int status)
{
  (void)name, (void)events, (void)status;
  look_for_socket(container_of(watch, struct server, folder_watch));
}

static void watch_folder(struct server *server)
{
  const char *folder = server->listener.endpoint.folder;
  if (server->listener.activated)
    return;
  uv_fs_event_init(&server->loop, &server->folder_watch);
  int result = uv_fs_event_start(&server->folder_watch, on_folder_changed, folder, 0);
  if (result < 0)
    log_line(&server->log, LOG_INFO, "%s cannot be watched: %s", folder, uv_strerror(result));
  look_for_socket(server);
}

static void on_watchdog(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, watchdog);
  notifier_send(&server->notifier, "WATCHDOG=1");
}

static void watch_signal(struct server *server, uv_signal_t *handle, int number)
{
  uv_signal_init(&server->loop, handle);
  handle->data = server;
  uv_signal_start(handle, on_signal, number);
}

static int loop_init(struct server *server)
{
  uv_timer_t *timers[] = {&server->idle, &server->drain, &server->watchdog, &server->store_tick};
  int result = uv_loop_init(&server->loop);
  if (result < 0)
    return result;
  for (size_t i = 0; i < sizeof timers / sizeof timers[0]; i++)
    uv_timer_init(&server->loop, timers[i]);
  uv_check_init(&server->loop, &server->polled);
  uv_check_start(&server->polled, on_polled);
  watch_signal(server, &server->sigterm, SIGTERM);
  watch_signal(server, &server->sigint, SIGINT);
  return uv_async_init(&server->loop, &server->woken, on_woken);
}

static unsigned thread_count(const struct config *config)
{
  return config->threads > 0 ? (unsigned)config->threads : solve_processors();
}

/* Each pool that does not fit the others' work: one kind of job must not wait behind the other. */
static int threads_init(struct server *server)
{
  int result =
      workers_new("solver", thread_count(&server->config), true, wake, server, &server->solvers);
  if (result == 0)
    result = workers_new("reader", 1, false, wake, server, &server->readers);
  if (result == 0)
    result = workers_new("writer", 1, false, wake, server, &server->writers);
  return result;
}

static void log_store(void *context, enum store_severity severity, const char *text)
{
  struct server *server = context;
  log_line(&server->log, severity == STORE_LOG_WARNING ? LOG_WARNING : LOG_INFO, "%s", text);
}

static void store_init(struct server *server)
{
  const struct daemon_limits *limits = &server->config.limits;
  const struct store_options options = {
      .folder = server->config.store,
      .bytes_max = limits->store_bytes,
      .puzzles_max = limits->store_puzzles,
      .age_max_days = limits->store_age_days,
      .retry_ms = limits->store_retry_ms,
      .log = log_store,
      .wake = wake,
      .context = server,
  };
  if (server->config.no_store)
    return;
  int result = store_open(&options, &server->store);
  if (result < 0)
    log_line(&server->log, LOG_WARNING, "nothing is kept on disk: %s", strerror(-result));
}

static int cache_and_solves_init(struct server *server)
{
  const struct daemon_limits *limits = &server->config.limits;
  int result = cache_init(&server->cache, limits->cache_bytes);
  if (result < 0)
    return result;
  memory_init(&server->memory, &server->cache, server->readers, limits,
              &server->peers.message_bytes);
  return solves_init(&server->solves, &server->memory, server->solvers,
                     thread_count(&server->config), limits, server->store);
}

static int peers_and_requests_init(struct server *server)
{
  const struct peers_handler handler = {
      .context = server,
      .handle = on_request,
      .leave = on_leave,
      .admits = admits,
      .look = on_look,
      .alone = on_alone,
  };
  peers_init(&server->peers, &server->loop, &server->config, &server->log, server->readers,
             &handler, &server->solves.running_count);
  server->requests = (struct requests){
      .config = &server->config,
      .log = &server->log,
      .peers = &server->peers,
      .memory = &server->memory,
      .solves = &server->solves,
      .store = server->store,
      .solvers = server->solvers,
      .readers = server->readers,
      .writers = server->writers,
      .shut_down = server_drain,
      .context = server,
  };
  requests_init(&server->requests, &server->loop);
  return accept_start(&server->acceptor, &server->peers, server->listener.fd);
}

static int server_init(struct server *server)
{
  int result = accept_prepare(server->config.limits.connections);
  if (result == 0)
    result = loop_init(server);
  if (result == 0)
    result = threads_init(server);
  if (result < 0)
    return result;
  store_init(server);
  result = cache_and_solves_init(server);
  return result < 0 ? result : peers_and_requests_init(server);
}

static void server_deinit(struct server *server)
{
  uv_loop_close(&server->loop);
  accept_deinit(&server->acceptor);
  solves_deinit(&server->solves);
  cache_deinit(&server->cache);
  requests_deinit(&server->requests);
  notifier_deinit(&server->notifier);
  close(server->listener.fd);
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

static void server_ready(struct server *server)
{
  log_line(&server->log, LOG_INFO, "listening on %s", server->listener.endpoint.socket);
  notifier_send(&server->notifier, "READY=1");
  uint64_t watchdog_ms = notify_watchdog_us() / 1000;
  if (watchdog_ms > 0)
    uv_timer_start(&server->watchdog, on_watchdog, 0, watchdog_ms / 2 + 1);
  on_alone(server);
  watch_folder(server);
  tell_starter(&server->config, "ready");
}

/* The process ends: what was set up goes with it. */
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
  int result = server_init(server);
  if (result < 0)
    return fail_to_start(server, result);
  server_ready(server);
  uv_run(&server->loop, UV_RUN_DEFAULT);
  server_deinit(server);
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
  solve_keep_memory(config->limits.keep_ms ? config->limits.memory_bytes : 0);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a file too large is an error like others */

  int status = EXIT_SUCCESS;
  int result = listener_open(&server->listener, config->socket, LOCK_WAIT_MS, &fault);
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
