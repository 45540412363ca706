/* The daemon from its socket to its exit status. */
#ifndef CATMOUSE_DAEMON_DAEMON_H
#define CATMOUSE_DAEMON_DAEMON_H

#include "daemon/config.h"

/* Serves until it is told to leave. The exit status: 0 also where another serves the socket already. */
int daemon_run(const struct config *config);

#endif
