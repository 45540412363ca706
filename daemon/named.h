/* Which puzzle a request is about that holds none: the one of its id, or the current one. The loop's thread. */
#ifndef CATMOUSE_DAEMON_NAMED_H
#define CATMOUSE_DAEMON_NAMED_H

#include "daemon/server.h"
#include "proto/request.h"

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
