/* From a request to its handler. */
#ifndef CATMOUSE_DAEMON_DISPATCH_H
#define CATMOUSE_DAEMON_DISPATCH_H

#include "daemon/connection.h"

/* Answers a request now, or sees to it that it is answered. Takes what `incoming` holds. */
void dispatch(struct connection *connection, struct incoming *incoming);

/* The same for a request that has waited for the store; it is not counted once more, and nothing is taken. */
void dispatch_again(struct connection *connection, struct incoming *incoming);

#endif
