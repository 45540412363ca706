/*
 * The listening socket, from the folder it lies in to its removal: made by the daemon itself under a
 * lock that lasts for its life, or passed by a service manager.
 */
#ifndef CATMOUSE_DAEMON_PEERS_LISTENER_H
#define CATMOUSE_DAEMON_PEERS_LISTENER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "proto/endpoint.h"

struct listener {
  int fd;
  int lock_fd;    /* -1 where the socket was passed */
  bool activated; /* passed: neither locked nor ever removed by the daemon */
  struct endpoint endpoint;
  struct stat made; /* the socket as the daemon made it, so that no other is ever removed */
};

enum { LISTENER_SERVED = 1 };

/*
 * Takes the socket that a service manager passed (LISTEN_FDS), else makes the one that endpoint_find()
 * names for `socket`: folder checked, locked, stale socket removed, bound with mode 0600. While another
 * daemon holds the lock and doesn't answer, because it starts or leaves, waits for a while.
 * 0; LISTENER_SERVED with `fault`'s text saying who serves the socket already; or -EBADMSG with `fault`.
 */
int listener_open(struct listener *listener, const char *socket, struct fault *fault);

/* Is the socket still where it was made, and still the daemon's own? Always, where it was passed. */
bool listener_is_present(const struct listener *listener);

/* Removes the socket if it is still the daemon's own. Connections made before can still be accepted. */
void listener_unlink(struct listener *listener);

/* Closes the lock, but not `fd`, which the loop owns by then. */
void listener_release(struct listener *listener);

#endif
