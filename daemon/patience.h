/* How long the daemon waits for whom: silent peers, half-sent messages, unread answers, endless solves. */
#ifndef CATMOUSE_DAEMON_PATIENCE_H
#define CATMOUSE_DAEMON_PATIENCE_H

#include "daemon/server.h"

/* Looks from time to time, from now on, until there is nobody to look after. */
void patience_begin(struct server *server);

/* What the ticker calls. */
void patience_on_look(struct ticker *ticker);

#endif
