/* Gives memory back, off the loop where that is much. The loop's thread. */
#ifndef CATMOUSE_DAEMON_DISPOSAL_H
#define CATMOUSE_DAEMON_DISPOSAL_H

#include "daemon/incoming.h"
#include "daemon/server.h"

/* What was dropped, and what solves have left, in this round of the loop. */
void disposal_of_round(struct server *server);

/* As incoming_deinit(). */
void disposal_of_incoming(struct server *server, struct incoming *incoming);

/* As buffer_deinit(). */
void disposal_of_buffer(struct server *server, struct buffer *buffer);

#endif
