/* Feeds bytes to a framer the way a connection does, and keeps what comes out of it. */
#ifndef CATMOUSE_TESTS_PROTO_FEED_H
#define CATMOUSE_TESTS_PROTO_FEED_H

#include "proto/buffer.h"
#include "proto/framer.h"

enum { FEED_EVENTS_MAX = 64 };

struct feed_event {
  enum framer_result result; /* never FRAMER_MORE */
  size_t body_at;            /* FRAMER_MESSAGE: where in `bodies` */
  size_t length;
  struct fault fault;
  struct frame frame; /* but for its body */
};

struct feed {
  struct framer framer;
  struct buffer pending;
  struct buffer bodies;
  struct feed_event events[FEED_EVENTS_MAX];
  int count;
};

void feed_init(struct feed *feed, const struct message_limits *limits);
void feed_deinit(struct feed *feed);
void feed_bytes(struct feed *feed, const void *bytes, size_t length);

#endif
