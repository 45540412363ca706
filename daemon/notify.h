/* What a service manager and the daemon tell each other: sd_notify(3) and sd_watchdog_enabled(3), without the library. */
#ifndef CATMOUSE_DAEMON_NOTIFY_H
#define CATMOUSE_DAEMON_NOTIFY_H

#include <stdint.h>

/* The socket is made at the beginning: the watchdog must be told even when no descriptor is left. */
struct notifier {
  int fd; /* -1 where there is no manager to tell */
};

void notifier_init(struct notifier *notifier);
void notifier_deinit(struct notifier *notifier);

/* Sends `message`, such as "READY=1", to $NOTIFY_SOCKET. A message that cannot be sent is lost. */
void notifier_send(const struct notifier *notifier, const char *message);

/* How often the manager wants to hear "WATCHDOG=1" at least, or 0 for never. */
uint64_t notify_watchdog_us(void);

#endif
