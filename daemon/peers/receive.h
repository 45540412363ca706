/* From a connection's socket to its requests. The loop's thread. */
#ifndef CATMOUSE_DAEMON_PEERS_RECEIVE_H
#define CATMOUSE_DAEMON_PEERS_RECEIVE_H

#include "daemon/peers/connection.h"

/* While a large message is read, its puzzle takes up to so many times its bytes, beside the message itself. */
enum { RECEIVE_TIMES = 3 };

/* Reads from the socket, or stops reading where messages must wait. */
void receive_update(struct connection *connection);

/* Handles messages that had to wait, if nothing makes them wait now. */
void receive_resume(struct connection *connection);

#endif
