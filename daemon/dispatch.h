/* From a request to its handler. */
#ifndef CATMOUSE_DAEMON_DISPATCH_H
#define CATMOUSE_DAEMON_DISPATCH_H

#include "daemon/connection.h"

/* Answers `request` once a pass over the table is done, or at once from it. Takes the request where it must wait. */
void answer_with(struct connection *connection, struct request *request, struct state start,
                 struct solved *solved, enum source source);

/* Answers a request now, or sees to it that it is answered. Takes what `incoming` holds. */
void dispatch(struct connection *connection, struct incoming *incoming);

/* The same for a request that has waited for the store; it is not counted once more, and nothing is taken. */
void dispatch_again(struct connection *connection, struct incoming *incoming);

/* Answers `solve`, `query` or `line` from a solved puzzle. `start` is the request's own. */
void answer_from(struct connection *connection, struct request *request, struct state start,
                 struct solved *solved, enum source source);

/*
 * Can the state that the request asks about be asked of this arena? Its rows and columns become nodes.
 * 0, or -EBADMSG with `fault`.
 */
int answer_check_state(struct request *request, const struct arena *arena, struct fault *fault);

/* These take the request where they answer later. */
void admin_list(struct connection *connection, struct incoming *incoming);
void admin_evict(struct connection *connection, struct incoming *incoming);
void admin_clear(struct connection *connection, struct incoming *incoming);

/* The handlers of what the daemon says of itself; they hold on to nothing. */
void admin_hello(struct connection *connection, const struct request *request);
void admin_status(struct connection *connection, const struct request *request);
void admin_cancel(struct connection *connection, const struct request *request);
void admin_shutdown(struct connection *connection, const struct request *request);

/* A puzzle that a request names: in memory, on disk, or both. */
struct named {
  struct solved *solved; /* borrowed, or NULL */
  struct stored *stored; /* borrowed, or NULL */
};

/* What a request's `id` names, or the current puzzle. 0, or -EBADMSG with `fault`. */
int find_named(struct server *server, const struct request *request, struct named *named,
               struct fault *fault);

#endif
