/* The handlers of what the daemon holds, in memory and on disk: listed, or forgotten. The loop's thread. */
#ifndef CATMOUSE_DAEMON_HOLDINGS_H
#define CATMOUSE_DAEMON_HOLDINGS_H

#include "daemon/connection.h"

/* These take the request where they answer later. */
void holdings_list(struct connection *connection, struct incoming *incoming);
void holdings_evict(struct connection *connection, struct incoming *incoming);
void holdings_clear(struct connection *connection, struct incoming *incoming);

#endif
