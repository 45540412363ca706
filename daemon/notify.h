/* What a service manager and the daemon tell each other: sd_notify(3) and sd_watchdog_enabled(3), without the library. */
#ifndef CATMOUSE_DAEMON_NOTIFY_H
#define CATMOUSE_DAEMON_NOTIFY_H

#include <stdint.h>

/* Keeps its socket from the first message on: without a descriptor left, the watchdog must be told all the same. */
struct notifier {
  int fd; /* -1 until then */
};

void notifier_init(struct notifier *notifier);
void notifier_deinit(struct notifier *notifier);

/* Sends `message`, such as "READY=1", to $NOTIFY_SOCKET. 0, also where there is none; or a negative errno. */
int notifier_send(struct notifier *notifier, const char *message);

/* How often the manager wants to hear "WATCHDOG=1" at least, or 0 for never. */
uint64_t notify_watchdog_us(void);

#endif
