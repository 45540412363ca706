/* From a connection's answers to its socket. */
#ifndef CATMOUSE_DAEMON_SENDING_H
#define CATMOUSE_DAEMON_SENDING_H

#include "daemon/connection.h"

/* Sends what there is to send; what the socket doesn't take now follows by itself. */
void sending_flush(struct connection *connection);

/* Is anything not yet sent? */
bool sending_is_pending(const struct connection *connection);

/* How long, by now, the peer has read nothing of what waits for it; 0 where nothing waits. */
uint64_t sending_stuck_ms(struct connection *connection);

#endif
