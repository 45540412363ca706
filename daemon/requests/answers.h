/* Answers from a table at hand, written in a connection's encoding. Any thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_ANSWERS_H
#define CATMOUSE_DAEMON_REQUESTS_ANSWERS_H

#include "daemon/cache/cache.h"
#include "proto/reply.h"
#include "proto/request_read.h"

/* Where an answer goes. All borrowed. */
struct answer_place {
  struct buffer *out;     /* fails when memory runs out */
  struct buffer *scratch; /* what it holds is lost */
  enum encoding encoding;
  const struct message_limits *limits;
};

/*
 * Can the state that the request asks about, if it does, be asked of this arena? Its rows and columns become
 * nodes. 0, or -EBADMSG with `fault`.
 */
int answer_check_state(struct request *request, const struct arena *arena, struct fault *fault);

/* Would writing the answer to `query` or `line` hold its thread for longer than the loop may be held? */
bool answer_is_long(const struct request *request, const struct solved *solved,
                    const struct message_limits *limits);

/* The answer to `query` or `line`; the state of `request` is one of this puzzle's. */
void answer_write(const struct answer_place *place, const struct request *request,
                  const struct solved *solved);

/* The answer to `solve`, for a puzzle with this start. */
void answer_solve(const struct answer_place *place, const struct request *request,
                  struct state start, const struct solved *solved, enum source source);

#endif
