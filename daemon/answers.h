/* Answers from a table at hand: at once, on the loop's thread, or written on any other. */
#ifndef CATMOUSE_DAEMON_ANSWERS_H
#define CATMOUSE_DAEMON_ANSWERS_H

#include "daemon/connection.h"
#include "proto/reply.h"

/*
 * Answers `solve`, `query` or `line` now, or sees to it that they are; `start` is the request's own. Takes the
 * request where it must wait. The loop's thread.
 */
void answer_from(struct connection *connection, struct request *request, struct state start,
                 struct solved *solved, enum source source);

/*
 * Can the state that the request asks about be asked of this arena? Its rows and columns become nodes.
 * 0, or -EBADMSG with `fault`.
 */
int answer_check_state(struct request *request, const struct arena *arena, struct fault *fault);

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

/* The answer to `query` or `line`; the state of `request` is one of this puzzle's. Any thread. */
void answer_write(const struct answer_place *place, const struct request *request,
                  const struct solved *solved);

#endif
