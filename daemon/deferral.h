/* Requests put off until the store has read or looked up what they name. */
#ifndef CATMOUSE_DAEMON_DEFERRAL_H
#define CATMOUSE_DAEMON_DEFERRAL_H

#include "daemon/connection.h"

/*
 * Has the store read the puzzle `stored`, or, where that is NULL, look whether the folder holds more than it
 * knew; then the request is handled again. Takes the request and returns true; false, with nothing taken,
 * where the store has done that already, or with another `fault`.
 */
bool defer(struct connection *connection, struct incoming *incoming, const struct stored *stored,
           struct fault *fault);

/* The same where the store has not looked at its folder yet: false where it has. */
bool defer_until_loaded(struct connection *connection, struct incoming *incoming);

#endif
