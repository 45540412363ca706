/*
 * libuv's own listeners unlink their path and drop connections when descriptors run out, so the socket is polled and
 * accepted from here. When descriptors have run out, a spare one is given up to take the connection and close it, so
 * that the peer knows at once. Where another thread takes that one, peers wait until it can be had again.
 *
 * Beside its connections the daemon has its socket, lock, pipes, database and a spare descriptor: these are set
 * aside, so that silent peers cannot keep them from the store.
 */
#include "daemon/peers/accept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/peers/connection.h"

enum {
  ACCEPTS_AT_A_TIME = 64,
  RETRY_MS = 100,
  OTHER_DESCRIPTORS = 64 + REFUSED_MAX,
  CONNECTIONS_MAX = 1 << 20, /* the kernel and libuv have a place for each descriptor that may be */
  LOOP_DESCRIPTORS = 8,
};

static void on_acceptable(uv_poll_t *poll, int status, int events);

/* How many descriptors there may be, after asking for enough. */
static uint64_t raise_limit(uint64_t connections)
{
  struct rlimit limit;
  uint64_t wanted =
      (connections < CONNECTIONS_MAX ? connections : CONNECTIONS_MAX) + OTHER_DESCRIPTORS;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
    return OTHER_DESCRIPTORS;
  if (limit.rlim_cur >= wanted)
    return wanted;
  limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
  return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? OTHER_DESCRIPTORS : limit.rlim_cur;
}

int accept_prepare(uint64_t connections)
{
  int fd[LOOP_DESCRIPTORS], count = 0, result = 0;
  raise_limit(connections);
  while (result == 0 && count < LOOP_DESCRIPTORS) {
    fd[count] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd[count] < 0)
      result = -errno;
    else
      count++;
  }
  while (count > 0)
    close(fd[--count]);
  return result;
}

static void ignore(uv_poll_t *poll, int status, int events)
{
  (void)poll, (void)status, (void)events;
}

static void on_closed(uv_handle_t *handle)
{
  free(handle);
}

/* Has the loop make its tables now: libuv aborts when it cannot make them later. */
static int make_tables(uv_loop_t *loop, int fd, uint64_t descriptors)
{
  uv_poll_t *poll = malloc(sizeof *poll);
  int highest = poll ? fcntl(fd, F_DUPFD_CLOEXEC, (int)descriptors - 1) : -1;
  if (highest < 0) {
    int result = poll ? -errno : -ENOMEM;
    free(poll);
    return result;
  }
  int result = uv_poll_init(loop, poll, highest);
  if (result == 0) {
    uv_poll_start(poll, UV_READABLE, ignore);
    uv_poll_stop(poll);
    uv_close((uv_handle_t *)poll, on_closed);
  } else {
    free(poll);
  }
  close(highest);
  return result;
}

static bool is_welcome(int fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == getuid() || peer.uid == 0);
}

static uint64_t now_ms(const struct acceptor *acceptor)
{
  return uv_now(acceptor->peers->loop);
}

static int open_spare(void)
{
  return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* False where nobody was there: descriptors are looked for before that is. */
static bool turn_away(struct acceptor *acceptor)
{
  close(acceptor->spare_fd);
  int fd = accept4(acceptor->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0)
    close(fd);
  acceptor->spare_fd = open_spare();
  if (fd >= 0)
    log_seldom(acceptor->peers->log, &acceptor->turned_away, now_ms(acceptor),
               "a connection was turned away: no descriptors are left");
  return fd >= 0;
}

static void on_retry(uv_timer_t *timer)
{
  struct acceptor *acceptor = container_of(timer, struct acceptor, retry);
  acceptor->spare_fd = open_spare();
  if (acceptor->spare_fd < 0)
    return;
  uv_timer_stop(timer);
  uv_poll_start(&acceptor->poll, UV_READABLE, on_acceptable);
}

/* The socket stays readable, which would keep the loop busy. */
static void wait_for_descriptors(struct acceptor *acceptor)
{
  log_seldom(acceptor->peers->log, &acceptor->turned_away, now_ms(acceptor),
             "connections must wait: no descriptors are left");
  uv_poll_stop(&acceptor->poll);
  uv_timer_start(&acceptor->retry, on_retry, RETRY_MS, RETRY_MS);
}

/* One connection too many is told so, if not too many are being told already. */
static void welcome(struct acceptor *acceptor, int fd)
{
  struct peers *peers = acceptor->peers;
  bool too_many = peers->count - peers->refused_count >= acceptor->connections_max;
  if (too_many)
    log_seldom(peers->log, &acceptor->refused, now_ms(acceptor),
               "a connection was refused: as many as --connections-max allows are open");
  if (too_many && peers->refused_count >= REFUSED_MAX) {
    close(fd);
    return;
  }
  int result = connection_open(peers, fd, too_many);
  if (result == 0)
    peers_watch(peers);
  else
    log_seldom(peers->log, &acceptor->refused, now_ms(acceptor), "a connection failed: %s",
               strerror(-result));
}

/* May there be more of them? */
static bool accept_one(struct acceptor *acceptor)
{
  int fd = accept4(acceptor->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0 && (errno == EMFILE || errno == ENFILE))
    return turn_away(acceptor);
  if (fd < 0)
    return errno == EINTR || errno == ECONNABORTED;
  if (is_welcome(fd)) {
    welcome(acceptor, fd);
  } else {
    log_seldom(acceptor->peers->log, &acceptor->refused, now_ms(acceptor),
               "a connection of another user was refused");
    close(fd);
  }
  return true;
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
  struct acceptor *acceptor = container_of(poll, struct acceptor, poll);
  (void)events;
  bool more = status == 0;
  for (int i = 0; more && acceptor->spare_fd >= 0 && i < ACCEPTS_AT_A_TIME; i++)
    more = accept_one(acceptor);
  if (acceptor->spare_fd < 0)
    wait_for_descriptors(acceptor);
}

int accept_start(struct acceptor *acceptor, struct peers *peers, int fd)
{
  uint64_t wanted = peers->config->limits.connections;
  uint64_t descriptors = raise_limit(wanted);
  uint64_t most = descriptors > OTHER_DESCRIPTORS ? descriptors - OTHER_DESCRIPTORS : 1;
  *acceptor = (struct acceptor){
      .peers = peers,
      .fd = fd,
      .connections_max = wanted < most ? wanted : most,
      .spare_fd = open_spare(),
  };
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  uv_timer_init(peers->loop, &acceptor->retry);
  int result = make_tables(peers->loop, fd, descriptors);
  if (result == 0)
    result = uv_poll_init(peers->loop, &acceptor->poll, fd);
  return result < 0 ? result : uv_poll_start(&acceptor->poll, UV_READABLE, on_acceptable);
}

void accept_stop(struct acceptor *acceptor)
{
  uv_poll_stop(&acceptor->poll);
  uv_timer_stop(&acceptor->retry);
}

void accept_deinit(struct acceptor *acceptor)
{
  close(acceptor->spare_fd);
}
