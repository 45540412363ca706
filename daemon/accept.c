/*
 * libuv's own listeners unlink their path and drop connections when descriptors run out, so the socket is
 * polled and accepted from here. Only the daemon's own user, and root, are let in. When descriptors have
 * run out, a spare one is given up to take the connection and close it, so that the peer knows at once. Where
 * that is lost to another thread or program, peers wait until it can be had again.
 */
#include "daemon/accept.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/connection.h"
#include "daemon/descriptors.h"

enum { ACCEPTS_AT_A_TIME = 64, RETRY_MS = 100 };

static void on_acceptable(uv_poll_t *poll, int status, int events);

static bool is_welcome(int fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == getuid() || peer.uid == 0);
}

/* False where nobody was there: descriptors are looked for before that is. */
static bool turn_away(struct server *server)
{
  close(server->spare_fd);
  int fd = accept4(server->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0)
    close(fd);
  server->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd >= 0)
    log_line(&server->log, LOG_WARNING, "a connection was turned away: no descriptors are left");
  return fd >= 0;
}

static void on_retry(uv_timer_t *timer)
{
  struct server *server = container_of(timer, struct server, accept_retry);
  server->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (server->spare_fd < 0)
    return;
  uv_timer_stop(timer);
  uv_poll_start(&server->acceptor, UV_READABLE, on_acceptable);
}

/* The socket stays readable, which would keep the loop busy. */
static void wait_for_descriptors(struct server *server)
{
  log_line(&server->log, LOG_WARNING, "connections must wait: no descriptors are left");
  uv_poll_stop(&server->acceptor);
  uv_timer_start(&server->accept_retry, on_retry, RETRY_MS, RETRY_MS);
}

static void welcome(struct server *server, int fd)
{
  if (!is_welcome(fd)) {
    log_line(&server->log, LOG_WARNING, "a connection of another user was refused");
    close(fd);
    return;
  }
  bool refused = server->connection_count >= server->config.limits.connections;
  int result = connection_open(server, fd, refused);
  if (result < 0)
    log_line(&server->log, LOG_WARNING, "a connection failed: %s", strerror(-result));
  else
    uv_timer_stop(&server->idle);
}

/* May there be more of them? */
static bool accept_one(struct server *server)
{
  int fd = accept4(server->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0 && (errno == EMFILE || errno == ENFILE))
    return turn_away(server);
  if (fd < 0)
    return errno == EINTR || errno == ECONNABORTED;
  welcome(server, fd);
  return true;
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
  struct server *server = container_of(poll, struct server, acceptor);
  (void)events;
  bool more = status == 0;
  for (int i = 0; more && server->spare_fd >= 0 && i < ACCEPTS_AT_A_TIME; i++)
    more = accept_one(server);
  if (server->spare_fd < 0)
    wait_for_descriptors(server);
}

int accept_start(struct server *server)
{
  server->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  fcntl(server->listener.fd, F_SETFL, fcntl(server->listener.fd, F_GETFL) | O_NONBLOCK);
  int result =
      descriptors_prepare(&server->loop, server->listener.fd, server->config.limits.connections);
  if (result == 0)
    result = uv_poll_init(&server->loop, &server->acceptor, server->listener.fd);
  return result < 0 ? result : uv_poll_start(&server->acceptor, UV_READABLE, on_acceptable);
}

void accept_stop(struct server *server)
{
  uv_poll_stop(&server->acceptor);
  uv_timer_stop(&server->accept_retry);
  listener_unlink(&server->listener);
}
