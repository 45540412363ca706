/* What the daemon does by the clock. */
#ifndef CATMOUSE_DAEMON_TIMERS_H
#define CATMOUSE_DAEMON_TIMERS_H

#include "daemon/server.h"

/* Sets up the server's timers and tickers, none of which runs yet. 0 or a negative errno. */
int timers_init(struct server *server);

/* After the loop has closed. */
void timers_deinit(struct server *server);

/* Starts those that run as long as the daemon does. */
void timers_start(struct server *server);

#endif
