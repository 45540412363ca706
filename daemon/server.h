/* The daemon from its socket to its exit status: puts the parts together, runs the loop, and takes them apart. */
#ifndef CATMOUSE_DAEMON_SERVER_H
#define CATMOUSE_DAEMON_SERVER_H

#include "daemon/config.h"

/* Serves until it is told to leave. The exit status: 0 also where another serves the socket already. */
int server_run(const struct config *config);

#endif
