/*
 * The happy path: socket, loop, threads, cache and store are set up, whoever started the daemon is told, and the
 * loop runs until a signal, `shutdown` or idleness drains it. Once the last connection has its answers and the store
 * has written what waits, or the time for that is up, everything is closed and the loop returns.
 *
 * A round of the loop: messages are read and handled, and finished jobs are handed back; then, before the loop sleeps,
 * on_before() starts solves that fit, sends the answers, and gives memory back.
 *
 * Failure: what cannot be set up is told to stderr and to whoever waits for readiness. Without a store the daemon
 * serves as well. A daemon whose socket is gone leaves, so that another can take its place.
 */
#include "daemon/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/notify.h"
#include "daemon/peers/listener.h"
#include "daemon/requests/posing.h"
#include "daemon/requests/waiting.h"
#include "solver/solve.h"

struct server {
  const struct config *config; /* borrowed */
  struct notifier notifier;
  struct listener listener;
  uv_loop_t loop;
  uv_async_t woken;      /* a thread has finished something */
  uv_prepare_t before;   /* once a round, after everything that came */
  uv_timer_t next_round; /* wakes the loop when on_before() has more to do */
  uv_signal_t signals[2];
  uv_fs_event_t folder_watch; /* of the socket's folder */
  uv_timer_t
      leave; /* drains when nobody was connected for a while, or ends a drain that takes too long */
  uv_timer_t watchdog;
  struct workers *solvers, *readers, *writers;
  struct cache cache;
  struct memory memory;
  struct store *store; /* NULL where nothing is kept on disk */
  struct solves solves;
  struct requests requests;
  struct peers peers;
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
  workers_free(server->readers);
  server->peers.readers = NULL;
  uv_walk(&server->loop, close_handle, NULL);
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
}

/* on_before() comes next. */
static void on_next_round(uv_timer_t *timer)
{
  (void)timer;
}

static void on_before(uv_prepare_t *before)
{
  struct server *server = container_of(before, struct server, before);
  if (server->ended)
    return;
  waiting_end_waits(&server->requests);
  posing_continue(&server->requests);
  bool again = solves_continue(&server->solves);
  peers_flush(&server->peers);
  again |= memory_tend(&server->memory);
  const uint64_t now_ms = uv_now(&server->loop);
  uint64_t due_ms = store_tend(server->store, now_ms);
  if (server->requests.deadline_ms < due_ms)
    due_ms = server->requests.deadline_ms;
  if (again || !list_empty(&server->peers.touched))
    due_ms = now_ms;
  if (due_ms == UINT64_MAX)
    uv_timer_stop(&server->next_round);
  else
    uv_timer_start(&server->next_round, on_next_round, due_ms - now_ms, 0);
  if (server->peers.draining && server->peers.count == 0 && store_is_idle(server->store))
    server_end(server);
}

static void on_drained_too_long(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, leave);
  log_line(&server->config->log, LOG_WARNING, "%u requests were given up",
           server->requests.waiting_count);
  peers_flush(&server->peers);
  server_end(server);
}

static void server_drain(void *context, const char *why)
{
  struct server *server = context;
  if (server->peers.draining)
    return;
  log_line(&server->config->log, LOG_INFO, "leaving: %s", why);
  notifier_send(&server->notifier, "STOPPING=1");
  listener_unlink(&server->listener);
  uv_timer_start(&server->leave, on_drained_too_long, server->config->limits.drain_ms, 0);
  peers_drain(&server->peers);
  store_drain(server->store);
}

static void on_signal(uv_signal_t *handle, int number)
{
  server_drain(handle->data, strsignal(number));
}

static void on_idle(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, leave);
  if (server->peers.count == 0)
    server_drain(server, "nobody was connected for a while");
}

/* The last connection has gone, or there was none yet. */
static void on_alone(void *context)
{
  struct server *server = context;
  if (server->config->idle_exit_ms > 0 && !server->peers.draining && !server->ended)
    uv_timer_start(&server->leave, on_idle, server->config->idle_exit_ms, 0);
}

static bool on_look(void *context)
{
  struct server *server = context;
  waiting_tell_progress(&server->requests);
  solves_stop_overdue(&server->solves);
  bool keeps_memory = memory_trim(&server->memory, uv_now(&server->loop));
  const unsigned *count = server->solves.count;
  return keeps_memory || count[SOLVE_RUNNING] + count[SOLVE_WAITING] > 0;
}

static void look_for_socket(struct server *server)
{
  if (server->peers.draining || listener_is_present(&server->listener))
    return;
  log_line(&server->config->log, LOG_WARNING, "%s is gone or is another's by now",
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
  uv_fs_event_init(&server->loop, &server->folder_watch);
  int result = uv_fs_event_start(&server->folder_watch, on_folder_changed, folder, 0);
  if (result < 0)
    log_line(&server->config->log, LOG_INFO, "%s cannot be watched: %s", folder,
             uv_strerror(result));
  look_for_socket(server);
}

static void on_watchdog(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, watchdog);
  notifier_send(&server->notifier, "WATCHDOG=1");
}

static int loop_init(struct server *server)
{
  uv_timer_t *timers[] = {&server->leave, &server->watchdog, &server->next_round};
  int result = uv_loop_init(&server->loop);
  if (result < 0)
    return result;
  for (size_t i = 0; i < sizeof timers / sizeof timers[0]; i++)
    uv_timer_init(&server->loop, timers[i]);
  uv_prepare_init(&server->loop, &server->before);
  for (int i = 0; i < 2; i++) {
    uv_signal_init(&server->loop, &server->signals[i]);
    server->signals[i].data = server;
    uv_signal_start(&server->signals[i], on_signal, i ? SIGINT : SIGTERM);
  }
  return uv_async_init(&server->loop, &server->woken, on_woken);
}

static unsigned thread_count(const struct config *config)
{
  return config->threads > 0 ? (unsigned)config->threads : solve_processors();
}

/* A pool for each kind of job: answers must not wait behind solves, nor behind messages. */
static int threads_init(struct server *server)
{
  int result =
      workers_new("solver", thread_count(server->config), true, wake, server, &server->solvers);
  if (result == 0)
    result = workers_new("reader", 1, false, wake, server, &server->readers);
  if (result == 0)
    result = workers_new("writer", 1, false, wake, server, &server->writers);
  return result;
}

static void store_init(struct server *server)
{
  const struct daemon_limits *limits = &server->config->limits;
  const struct store_options options = {
      .folder = server->config->store,
      .bytes_max = limits->store_bytes,
      .puzzles_max = limits->store_puzzles,
      .age_max_days = limits->store_age_days,
      .wait_ms = limits->store_wait_ms,
      .retry_ms = limits->store_retry_ms,
      .log = &server->config->log,
      .wake = wake,
      .context = server,
  };
  if (server->config->no_store)
    return;
  int result = store_open(&options, &server->store);
  if (result < 0)
    log_line(&server->config->log, LOG_WARNING, "nothing is kept on disk: %s",
             result == -ENOENT ? "neither --store, XDG_CACHE_HOME nor HOME names a folder"
                               : strerror(-result));
}

static int peers_and_requests_init(struct server *server)
{
  const struct peers_handler handler = {
      .requests = &server->requests,
      .memory = &server->memory,
      .context = server,
      .handle = requests_handle,
      .leave = waiting_give_up_all,
      .admits = memory_admits_messages,
      .look = on_look,
      .alone = on_alone,
  };
  int result = peers_init(&server->peers, &server->loop, server->listener.fd, server->readers,
                          &handler, &server->solves.count[SOLVE_RUNNING]);
  server->requests = (struct requests){
      .config = server->config,
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
  requests_init(&server->requests);
  /* Started after the spin's, libuv calls it first: answers go out before the wait for the next message begins. */
  uv_prepare_start(&server->before, on_before);
  return result;
}

static int server_init(struct server *server)
{
  const struct daemon_limits *limits = &server->config->limits;
  int result = peers_prepare(&server->peers, server->config);
  if (result == 0)
    result = loop_init(server);
  if (result == 0)
    result = threads_init(server);
  if (result == 0)
    result = cache_init(&server->cache, limits->cache_bytes);
  if (result < 0)
    return result;
  store_init(server);
  memory_init(&server->memory, &server->cache, server->readers, limits,
              &server->peers.message_bytes);
  result = solves_init(&server->solves, &server->memory, server->solvers,
                       thread_count(server->config), limits, server->store);
  return result < 0 ? result : peers_and_requests_init(server);
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
  log_line(&server->config->log, LOG_INFO, "listening on %s", server->listener.endpoint.socket);
  notifier_send(&server->notifier, "READY=1");
  uint64_t watchdog_ms = notify_watchdog_us() / 1000;
  if (watchdog_ms > 0)
    uv_timer_start(&server->watchdog, on_watchdog, 0, watchdog_ms / 2 + 1);
  on_alone(server);
  if (!server->listener.activated)
    watch_folder(server);
  tell_starter(server->config, "ready");
}

/* Nothing is taken down: the process ends now. */
static int fail_to_start(struct server *server, int result)
{
  char why[128];
  snprintf(why, sizeof why, "the daemon could not set up its loop, threads or memory: %s",
           strerror(-result));
  log_line(&server->config->log, LOG_ERROR, "%s", why);
  tell_starter(server->config, why);
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
  uv_loop_close(&server->loop);
  peers_deinit(&server->peers);
  solves_deinit(&server->solves);
  cache_deinit(&server->cache);
  requests_deinit(&server->requests);
  notifier_deinit(&server->notifier);
  close(server->listener.fd);
  return EXIT_SUCCESS;
}

int server_run(const struct config *config)
{
  struct fault fault;
  struct server *server = calloc(1, sizeof *server);
  if (!server)
    return EXIT_FAILURE;
  server->config = config;
  notifier_init(&server->notifier);
  solve_keep_memory(config->limits.keep_ms ? config->limits.memory_bytes : 0);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* writing past a limit on file sizes is an error like others */

  int status = EXIT_SUCCESS;
  int result = listener_open(&server->listener, config->socket, &fault);
  if (result == 0) {
    status = serve(server);
    listener_release(&server->listener);
  } else {
    bool served = result == LISTENER_SERVED;
    log_line(&server->config->log, served ? LOG_INFO : LOG_ERROR, "%s", fault.text);
    tell_starter(config, served ? "ready" : fault.text);
    status = served ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  free(server);
  return status;
}
