/* From a request to its handler. */
#ifndef CATMOUSE_DAEMON_DISPATCH_H
#define CATMOUSE_DAEMON_DISPATCH_H

#include "daemon/connection.h"

/* Answers a request now, or sees to it that it is answered. Takes what `incoming` holds. */
void dispatch(struct connection *connection, struct incoming *incoming);

/* The same for a request that has waited for the store; it is not counted once more, and nothing is taken. */
void dispatch_again(struct connection *connection, struct incoming *incoming);

/* A puzzle that a request names: in memory, on disk, or both. */
struct named {
  struct solved *solved; /* borrowed, or NULL */
  struct stored
      *stored; /* borrowed, or NULL; a whole id that is in memory is not looked for on disk */
};

/* What a request's `id` names, or the current puzzle. 0, or -EBADMSG with `fault`. */
int find_named(struct server *server, const struct request *request, struct named *named,
               struct fault *fault);

#endif
