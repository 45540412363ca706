/*
 * The happy path: socket, loop, pools, cache and store are set up, whoever started the daemon is told, and the
 * loop runs (server.c) until it has closed everything. Failing to set up is told to stderr and to whoever waits
 * for readiness.
 */
#include "daemon/daemon.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/accept.h"
#include "daemon/descriptors.h"
#include "daemon/presence.h"
#include "daemon/server.h"
#include "daemon/timers.h"
#include "solver/solve.h"

enum { PATIENCE_MS = 12000, HELPER_THREADS = 1 };

static unsigned thread_count(const struct config *config)
{
  return config->threads > 0 ? (unsigned)config->threads : solve_processors();
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
      .released = server_released,
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
  server_watch_idleness(server);
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
    result = server_loop_init(server);
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

int daemon_run(const struct config *config)
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
  spare_init(server);
  solve_keep_memory(config->limits.keep_ms ? config->limits.memory_bytes : 0);
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
