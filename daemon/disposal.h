/* Gives the memory of dropped tables back, off the loop. */
#ifndef CATMOUSE_DAEMON_DISPOSAL_H
#define CATMOUSE_DAEMON_DISPOSAL_H

#include "daemon/server.h"

void disposal_start(struct server *server);

#endif
