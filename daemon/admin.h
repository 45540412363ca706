/* The handlers of what the daemon says of itself, and of what it is told to forget. The loop's thread. */
#ifndef CATMOUSE_DAEMON_ADMIN_H
#define CATMOUSE_DAEMON_ADMIN_H

#include "daemon/connection.h"

/* These take the request where they answer later. */
void admin_list(struct connection *connection, struct incoming *incoming);
void admin_evict(struct connection *connection, struct incoming *incoming);
void admin_clear(struct connection *connection, struct incoming *incoming);

/* These answer at once. */
void admin_hello(struct connection *connection, const struct request *request);
void admin_status(struct connection *connection, const struct request *request);
void admin_cancel(struct connection *connection, const struct request *request);
void admin_shutdown(struct connection *connection, const struct request *request);

#endif
