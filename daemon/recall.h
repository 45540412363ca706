/* Requests that wait for the store before they can be handled. */
#ifndef CATMOUSE_DAEMON_RECALL_H
#define CATMOUSE_DAEMON_RECALL_H

#include "daemon/connection.h"

/*
 * Has the store read the puzzle `stored`, or, where that is NULL, look whether the folder holds more than it
 * knew; then the request is handled again. Takes the request and returns true; false, with nothing taken,
 * where the store has done that already, or with another `fault`.
 */
bool recall(struct connection *connection, struct incoming *incoming, const struct stored *stored,
            struct fault *fault);

/* The same where the store has not looked at its folder yet: false where it has. */
bool recall_opening(struct connection *connection, struct incoming *incoming);

#endif
