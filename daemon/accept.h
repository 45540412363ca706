/* New connections: from the listening socket to connection_open(). */
#ifndef CATMOUSE_DAEMON_ACCEPT_H
#define CATMOUSE_DAEMON_ACCEPT_H

#include "daemon/server.h"

/* 0 or a negative errno. */
int accept_start(struct server *server);

/* No more connections; the socket's name is removed. */
void accept_stop(struct server *server);

#endif
