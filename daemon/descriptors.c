/*
 * Beside its connections the daemon has its socket, lock, pipes, files and a spare one. The kernel and libuv have a
 * place for each that there may be, so there is an end to what is asked for.
 */
#include "daemon/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { OTHER_DESCRIPTORS = 64, CONNECTIONS_MAX = 1 << 20, LOOP_DESCRIPTORS = 8 };

/* How many there may be, after asking for more. */
static rlim_t raise_limit(uint64_t wanted)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
    return OTHER_DESCRIPTORS;
  if (limit.rlim_cur >= wanted)
    return wanted;
  limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
  return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? OTHER_DESCRIPTORS : limit.rlim_cur;
}

static rlim_t raise_for(uint64_t connections)
{
  uint64_t foreseen = connections < CONNECTIONS_MAX ? connections : CONNECTIONS_MAX;
  return raise_limit(foreseen + OTHER_DESCRIPTORS);
}

int descriptors_raise(uint64_t connections)
{
  int fd[LOOP_DESCRIPTORS], count = 0, result = 0;
  raise_for(connections);
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

static int watch_for_a_moment(uv_loop_t *loop, int fd)
{
  uv_poll_t *poll = malloc(sizeof *poll);
  if (!poll)
    return -ENOMEM;
  int result = uv_poll_init(loop, poll, fd);
  if (result < 0) {
    free(poll);
    return result;
  }
  uv_poll_start(poll, UV_READABLE, ignore);
  uv_poll_stop(poll);
  uv_close((uv_handle_t *)poll, on_closed);
  return 0;
}

int descriptors_prepare(uv_loop_t *loop, int fd, uint64_t connections)
{
  rlim_t most = raise_for(connections);
  int highest = fcntl(fd, F_DUPFD_CLOEXEC, (int)most - 1);
  if (highest < 0)
    return -errno;
  int result = watch_for_a_moment(loop, highest);
  close(highest);
  return result;
}
