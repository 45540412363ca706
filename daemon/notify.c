/*
 * Each message is one datagram to the manager's socket, which may have an abstract name (`@...`). The daemon's own
 * is not connected to it: a manager that starts again has another by the same name.
 */
#include "daemon/notify.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int manager_address(const char *name, struct sockaddr_un *address, socklen_t *size)
{
  size_t length = strlen(name);
  if ((name[0] != '/' && name[0] != '@') || length > sizeof(address->sun_path))
    return -EINVAL;
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(address->sun_path, name, length);
  if (name[0] == '@')
    address->sun_path[0] = '\0';
  *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  return 0;
}

void notifier_init(struct notifier *notifier)
{
  notifier->fd = -1;
}

void notifier_deinit(struct notifier *notifier)
{
  if (notifier->fd >= 0)
    close(notifier->fd);
  notifier->fd = -1;
}

int notifier_send(struct notifier *notifier, const char *message)
{
  const char *name = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address;
  socklen_t size;
  if (!name)
    return 0;
  int result = manager_address(name, &address, &size);
  if (result < 0)
    return result;

  if (notifier->fd < 0)
    notifier->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (notifier->fd < 0)
    return -errno;
  ssize_t sent = sendto(notifier->fd, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT,
                        (struct sockaddr *)&address, size);
  return sent < 0 ? -errno : 0;
}

uint64_t notify_watchdog_us(void)
{
  const char *pid = getenv("WATCHDOG_PID");
  const char *interval_us = getenv("WATCHDOG_USEC");
  if (!interval_us || (pid && strtoll(pid, NULL, 10) != getpid()))
    return 0;
  return strtoull(interval_us, NULL, 10);
}
