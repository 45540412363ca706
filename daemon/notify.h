/* What a service manager and the daemon tell each other: sd_notify(3) and sd_watchdog_enabled(3), without the library. */
#ifndef CATMOUSE_DAEMON_NOTIFY_H
#define CATMOUSE_DAEMON_NOTIFY_H

#include <stdint.h>

/* Sends `message`, such as "READY=1", to $NOTIFY_SOCKET. 0, also where there is none; or a negative errno. */
int notify_send(const char *message);

/* How often the manager wants to hear "WATCHDOG=1" at least, or 0 for never. */
uint64_t notify_watchdog_us(void);

#endif
