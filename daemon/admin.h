/* The handlers of what the daemon says of itself or is told to do, which answer at once. The loop's thread. */
#ifndef CATMOUSE_DAEMON_ADMIN_H
#define CATMOUSE_DAEMON_ADMIN_H

#include "daemon/connection.h"

void admin_hello(struct connection *connection, const struct request *request);
void admin_status(struct connection *connection, const struct request *request);
void admin_cancel(struct connection *connection, const struct request *request);
void admin_shutdown(struct connection *connection, const struct request *request);

#endif
