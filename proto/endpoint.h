/* Where daemon and client meet: the path of the socket, and whether its folder can be trusted. */
#ifndef CATMOUSE_PROTO_ENDPOINT_H
#define CATMOUSE_PROTO_ENDPOINT_H

#include <stdbool.h>

#include "proto/errors.h"
#include "proto/system_linux.h"

enum { ENDPOINT_PATH_MAX = SOCKET_PATH_MAX };

struct endpoint {
  char socket[ENDPOINT_PATH_MAX + 1];
  char folder[ENDPOINT_PATH_MAX + 1];   /* of the socket */
  char lock[ENDPOINT_PATH_MAX + 8];     /* held by flock for the daemon's life */
  char starting[ENDPOINT_PATH_MAX + 8]; /* held by flock by a client while it starts a daemon */
};

/*
 * `socket` (may be NULL), else $CATMOUSE_SOCKET, else $XDG_RUNTIME_DIR/catmouse/daemon.sock, else
 * /tmp/catmouse-UID/daemon.sock. 0, or -ENAMETOOLONG with `fault`: a longer path is refused, not
 * cut.
 */
int endpoint_find(const char *socket, struct endpoint *endpoint, struct fault *fault);

/*
 * Makes the folder with mode 0700 where it is missing and `create` is set. Refuses one that is not
 * ours, is a link, or is open to others. 0, -ENOENT when missing, -EPERM with `fault`, or the errno
 * of the call that failed, with `fault`.
 */
int endpoint_check_folder(const struct endpoint *endpoint, bool create, struct fault *fault);

#endif
