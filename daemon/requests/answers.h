/* Answers from a table at hand, written in a connection's encoding. Any thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_ANSWERS_H
#define CATMOUSE_DAEMON_REQUESTS_ANSWERS_H

#include <stdatomic.h>

#include "daemon/cache/cache.h"
#include "proto/reply.h"
#include "proto/request_read.h"

/* Where an answer goes. All borrowed. */
struct answer_place {
  struct buffer *out;     /* fails when memory runs out */
  struct buffer *scratch; /* overwritten */
  enum encoding encoding;
  const struct message_limits *limits;
  const atomic_bool *stop; /* set when the answer is no longer wanted; NULL for never */
};

/*
 * Checks that the state in the request, if it has one, is a state of this arena; rows and columns become nodes. 0, or
 * -EBADMSG with `fault`.
 */
int answer_check_state(struct request *request, const struct arena *arena, struct fault *fault);

/* Does writing this answer take longer than the loop may be held? */
bool answer_is_long(const struct request *request, const struct solved *solved,
                    const struct message_limits *limits);

/*
 * The answer to any method but `solve`; the state of `request`, if it has one, is one of this puzzle's.
 * 0; -ENOMEM, or -ECANCELED when it was stopped, with nothing written.
 */
int answer_write(const struct answer_place *place, const struct request *request,
                 const struct solved *solved);

/* The answer to `solve`, for a puzzle with this start. `out` fails without memory. */
void answer_solve(const struct answer_place *place, const struct request *request,
                  struct state start, const struct solved *solved, enum source source);

#endif
