/*
 * New connections: from the listening socket to connection_open(). Only the daemon's own user, and root, are let
 * in. The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_PEERS_ACCEPT_H
#define CATMOUSE_DAEMON_PEERS_ACCEPT_H

#include "daemon/peers/peers.h"

struct acceptor {
  struct peers *peers; /* borrowed */
  int fd;              /* that listens, borrowed */
  uint64_t connections_max;
  uv_poll_t poll;
  uv_timer_t retry; /* runs while there is no descriptor to accept with */
  int spare_fd; /* given up for a moment to turn a connection away when descriptors have run out */
  struct log_rate turned_away, refused;
};

/*
 * Asks the system for as many descriptors as connections are allowed. 0, or a negative errno where there are too
 * few for a loop: libuv aborts without some of them. To be called before there is a loop.
 */
int accept_prepare(uint64_t connections);

/* 0 or a negative errno. Its handles are closed with the others of the loop. */
int accept_start(struct acceptor *acceptor, struct peers *peers, int fd);

/* No more connections. */
void accept_stop(struct acceptor *acceptor);

/* After the loop has closed. */
void accept_deinit(struct acceptor *acceptor);

#endif
