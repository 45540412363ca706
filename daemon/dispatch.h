/* From a request to its handler. */
#ifndef CATMOUSE_DAEMON_DISPATCH_H
#define CATMOUSE_DAEMON_DISPATCH_H

#include "daemon/connection.h"

/* Answers a request now, or sees to it that it is answered. Takes what `incoming` holds. */
void dispatch(struct connection *connection, struct incoming *incoming);

/* Answers `solve`, `query` or `line` from a solved puzzle. `start` is the request's own. */
void answer_from(struct connection *connection, const struct request *request, struct state start,
                 struct solved *solved, enum source source);

/* The handlers of what the daemon says of itself and of its cache; they hold on to nothing. */
void admin_hello(struct connection *connection, const struct request *request);
void admin_list(struct connection *connection, const struct request *request);
void admin_evict(struct connection *connection, const struct request *request);
void admin_clear(struct connection *connection, const struct request *request);
void admin_status(struct connection *connection, const struct request *request);
void admin_cancel(struct connection *connection, const struct request *request);
void admin_shutdown(struct connection *connection, const struct request *request);

/* The solved puzzle a request's `id` names, or the current one; NULL with `fault`. */
struct solved *find_named(struct server *server, const struct request *request,
                          struct fault *fault);

#endif
