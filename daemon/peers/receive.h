/* From a connection's socket to its requests. The loop's thread. */
#ifndef CATMOUSE_DAEMON_PEERS_RECEIVE_H
#define CATMOUSE_DAEMON_PEERS_RECEIVE_H

#include "daemon/peers/connection.h"

/* While a large message is read, its puzzle takes up to so many times its bytes, beside the message itself. */
enum { RECEIVE_TIMES = 3 };

/* Reads from the socket, or stops, as the state of things allows. */
void receive_update(struct connection *connection);

/* Handles messages that had to wait and need no longer. True when there were any. */
bool receive_resume(struct connection *connection);

/* How long, by now, the peer has been at one message; 0 where it is at none. */
uint64_t receive_unfinished_ms(const struct connection *connection);

#endif
