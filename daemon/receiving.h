/* From a connection's socket to its messages. */
#ifndef CATMOUSE_DAEMON_RECEIVING_H
#define CATMOUSE_DAEMON_RECEIVING_H

#include "daemon/connection.h"

/* Reads from the socket, or stops, as the state of things allows. */
void receiving_update(struct connection *connection);

/* Handles messages that had to wait and need no longer. True when there were any. */
bool receiving_resume(struct connection *connection);

/* How long, by now, the peer has been at one message; 0 where it is at none. */
uint64_t receiving_unfinished_ms(const struct connection *connection);

/* The connection is closed: gives back what its bytes counted for. */
void receiving_end(struct connection *connection);

#endif
