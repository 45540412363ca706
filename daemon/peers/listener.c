/*
 * The happy path: folder, lock, no socket there, bind, listen.
 *
 * A socket is stale when connecting to it is refused while the lock is ours: then it is removed. When
 * someone accepts, the daemon runs already. When the lock is taken but nobody accepts, a daemon is on
 * its way in or out: ask again for a while. Anything else at the socket's path is left alone and refused.
 */
#include "daemon/peers/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "daemon/peers/system.h"

enum { BACKLOG = 4096, PASSED_FD = 3, RETRY_MS = 10, LOCK_WAIT_MS = 12000 };

static int fault_errno(struct fault *fault, const char *what, const char *path)
{
  return fault_set(fault, ERROR_INTERNAL, "%s %s: %s", what, path, strerror(errno));
}

static struct sockaddr_un address_of(const struct endpoint *endpoint)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, endpoint->socket, strlen(endpoint->socket));
  return address;
}

/* LISTENER_SERVED with the sentence where someone accepts; 0 where nobody does; -EBADMSG with `fault`. */
static int probe(const struct endpoint *endpoint, struct fault *fault)
{
  struct sockaddr_un address = address_of(endpoint);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return fault_errno(fault, "cannot make a socket for", endpoint->socket);
  int result = 0;
  if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 || errno == EAGAIN) {
    struct peer_process peer = {0};
    peer_process_find(fd, &peer);
    fault_set(fault, ERROR_INTERNAL, "process %d serves %s already", (int)peer.id,
              endpoint->socket);
    result = LISTENER_SERVED;
  } else if (errno != ECONNREFUSED && errno != ENOENT) {
    result = fault_errno(fault, "cannot use", endpoint->socket);
  }
  close(fd);
  return result;
}

/* 0, -EAGAIN when another holds it, or -EBADMSG with `fault`. */
static int try_lock(struct listener *listener, struct fault *fault)
{
  const char *path = listener->endpoint.lock;
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return fault_errno(fault, "cannot open the lock", path);
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
    listener->lock_fd = fd;
    return 0;
  }
  int result = errno == EWOULDBLOCK ? -EAGAIN : fault_errno(fault, "cannot lock", path);
  close(fd);
  return result;
}

static int lock_or_served(struct listener *listener, struct fault *fault)
{
  for (unsigned waited_ms = 0;; waited_ms += RETRY_MS) {
    int result = probe(&listener->endpoint, fault);
    if (result)
      return result;
    result = try_lock(listener, fault);
    if (result != -EAGAIN)
      return result;
    if (waited_ms >= LOCK_WAIT_MS)
      return fault_set(fault, ERROR_BUSY, "another daemon holds %s but doesn't answer",
                       listener->endpoint.lock);
    nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000L}, NULL);
  }
}

/* Under the lock. Probes again: another daemon may have come and gone since the first probe. */
static int remove_stale(const struct endpoint *endpoint, struct fault *fault)
{
  struct stat status;
  int result = probe(endpoint, fault);
  if (result)
    return result;
  if (lstat(endpoint->socket, &status) < 0)
    return errno == ENOENT ? 0 : fault_errno(fault, "cannot look at", endpoint->socket);
  if (!S_ISSOCK(status.st_mode))
    return fault_set(fault, ERROR_INTERNAL, "%s is in the way: it is no socket", endpoint->socket);
  if (unlink(endpoint->socket) < 0)
    return fault_errno(fault, "cannot remove the stale socket", endpoint->socket);
  return 0;
}

static int bind_and_listen(struct listener *listener, struct fault *fault)
{
  const char *path = listener->endpoint.socket;
  struct sockaddr_un address = address_of(&listener->endpoint);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return fault_errno(fault, "cannot make a socket for", path);

  mode_t mask = umask(0177);
  int bound = bind(fd, (struct sockaddr *)&address, sizeof(address));
  umask(mask);
  if (bound < 0 || listen(fd, BACKLOG) < 0 || lstat(path, &listener->made) < 0) {
    fault_errno(fault, "cannot listen on", path);
    close(fd);
    return -EBADMSG;
  }
  listener->fd = fd;
  return 0;
}

static int open_own(struct listener *listener, const char *socket, struct fault *fault)
{
  int result = endpoint_find(socket, &listener->endpoint, fault);
  if (result == 0)
    result = endpoint_check_folder(&listener->endpoint, true, fault);
  if (result < 0)
    return -EBADMSG;
  result = lock_or_served(listener, fault);
  if (result)
    return result;
  result = remove_stale(&listener->endpoint, fault);
  if (result == 0)
    result = bind_and_listen(listener, fault);
  if (result)
    listener_release(listener);
  return result;
}

static int take_passed(struct listener *listener, struct fault *fault)
{
  int domain = 0, type = 0, listening = 0;
  socklen_t size = sizeof(int);
  const char *count = getenv("LISTEN_FDS");
  if (!count || strcmp(count, "1") != 0)
    return fault_set(fault, ERROR_INTERNAL, "%s sockets were passed, one is wanted",
                     count ? count : "no");
  getsockopt(PASSED_FD, SOL_SOCKET, SO_DOMAIN, &domain, &size);
  getsockopt(PASSED_FD, SOL_SOCKET, SO_TYPE, &type, &size);
  getsockopt(PASSED_FD, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size);
  if (domain != AF_UNIX || type != SOCK_STREAM || !listening)
    return fault_set(fault, ERROR_INTERNAL,
                     "the socket that was passed is no listening Unix stream socket");

  struct sockaddr_un address = {0};
  size = sizeof(address);
  getsockname(PASSED_FD, (struct sockaddr *)&address, &size);
  snprintf(listener->endpoint.socket, sizeof(listener->endpoint.socket), "%.*s", ENDPOINT_PATH_MAX,
           address.sun_path);
  fcntl(PASSED_FD, F_SETFD, FD_CLOEXEC);
  unsetenv("LISTEN_PID");
  unsetenv("LISTEN_FDS");
  unsetenv("LISTEN_FDNAMES");
  listener->fd = PASSED_FD;
  listener->activated = true;
  return 0;
}

int listener_open(struct listener *listener, const char *socket, struct fault *fault)
{
  const char *pid = getenv("LISTEN_PID");
  bool is_passed = pid && getenv("LISTEN_FDS") && strtoll(pid, NULL, 10) == getpid();
  *listener = (struct listener){.fd = -1, .lock_fd = -1};
  return is_passed ? take_passed(listener, fault) : open_own(listener, socket, fault);
}

bool listener_is_present(const struct listener *listener)
{
  struct stat status;
  if (listener->activated)
    return true;
  return lstat(listener->endpoint.socket, &status) == 0 && status.st_dev == listener->made.st_dev &&
         status.st_ino == listener->made.st_ino;
}

void listener_unlink(struct listener *listener)
{
  if (!listener->activated && listener_is_present(listener))
    unlink(listener->endpoint.socket);
}

void listener_release(struct listener *listener)
{
  if (listener->lock_fd >= 0)
    close(listener->lock_fd);
  listener->lock_fd = -1;
}
