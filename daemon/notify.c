/*
 * Each message is one datagram to the manager's socket, which may have an abstract name (`@...`). The daemon's own
 * is not connected to it: a manager that starts again has another by the same name.
 */
#include "daemon/notify.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool manager_address(const char *name, struct sockaddr_un *address, socklen_t *size)
{
  size_t length = strlen(name);
  if ((name[0] != '/' && name[0] != '@') || length > sizeof(address->sun_path))
    return false;
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(address->sun_path, name, length);
  if (name[0] == '@')
    address->sun_path[0] = '\0';
  *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  return true;
}

void notifier_init(struct notifier *notifier)
{
  notifier->fd = getenv("NOTIFY_SOCKET") ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
}

void notifier_deinit(struct notifier *notifier)
{
  if (notifier->fd >= 0)
    close(notifier->fd);
}

void notifier_send(const struct notifier *notifier, const char *message)
{
  struct sockaddr_un address;
  socklen_t size;
  if (notifier->fd >= 0 && manager_address(getenv("NOTIFY_SOCKET"), &address, &size))
    sendto(notifier->fd, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT,
           (struct sockaddr *)&address, size);
}

uint64_t notify_watchdog_us(void)
{
  const char *pid = getenv("WATCHDOG_PID");
  const char *interval_us = getenv("WATCHDOG_USEC");
  if (!interval_us || (pid && strtoll(pid, NULL, 10) != getpid()))
    return 0;
  return strtoull(interval_us, NULL, 10);
}
