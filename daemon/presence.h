/* Notices when the daemon's socket is removed or replaced: then nobody can reach it any longer. */
#ifndef CATMOUSE_DAEMON_PRESENCE_H
#define CATMOUSE_DAEMON_PRESENCE_H

#include "daemon/server.h"

/* From now on, a socket that is gone makes the daemon drain, so that another can take its place. */
void presence_watch(struct server *server);

#endif
