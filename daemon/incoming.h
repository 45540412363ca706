/* A request as the daemon wants it: decoded, its puzzle checked and identified. */
#ifndef CATMOUSE_DAEMON_INCOMING_H
#define CATMOUSE_DAEMON_INCOMING_H

#include "proto/request_read.h"
#include "solver/arena.h"

struct incoming {
  struct request request; /* owned; its puzzle's memory is gone once there is an arena */
  struct arena *arena;    /* owned, or NULL where the request has no puzzle */
  struct id id;           /* of the arena */
  unsigned recalls;       /* how often the store was asked for what the request names */
};

/*
 * 0, or -EBADMSG with `fault`: then `request.id` and `request.notification` tell whom to answer, and
 * nothing is held. Time linear in the message. Any thread.
 */
int incoming_read(struct incoming *incoming, const char *body, size_t length,
                  enum encoding encoding, const struct message_limits *limits, struct fault *fault);

void incoming_deinit(struct incoming *incoming);

#endif
