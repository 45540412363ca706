/* Answers to `query` and `line`, written from a table. They touch nothing of the daemon's: any thread. */
#ifndef CATMOUSE_DAEMON_ANSWERS_H
#define CATMOUSE_DAEMON_ANSWERS_H

#include "daemon/cache.h"
#include "proto/reply.h"

/* Where an answer goes. All borrowed. */
struct answer_place {
  struct buffer *out;     /* fails when memory runs out */
  struct buffer *scratch; /* what it holds is lost */
  enum encoding encoding;
  const struct message_limits *limits;
};

/* Would writing this answer hold its thread for longer than the loop may be held? */
bool answer_is_long(const struct request *request, const struct solved *solved,
                    const struct message_limits *limits);

/* The state of `request` is one of this puzzle's. */
void answer_write(const struct answer_place *place, const struct request *request,
                  const struct solved *solved);

#endif
