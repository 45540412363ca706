/* What a message may hold. Checked before anything is allocated from what a message claims. */
#ifndef CATMOUSE_PROTO_LIMITS_H
#define CATMOUSE_PROTO_LIMITS_H

#include <stdint.h>

#include "proto/errors.h"

/* X(field, default, meaning) */
#define PROTO_LIMITS(X)                                                  \
  X(message_bytes, 64u << 20, "bytes in one message")                    \
  X(depth, 16, "lists and objects of JSON inside each other")            \
  X(nodes, 4000000, "nodes of a graph, cells of a grid")                 \
  X(edges, 64000000, "neighbours listed in a graph, or moves of a grid") \
  X(request_id_bytes, 128, "bytes in a JSON request id")                 \
  X(line_moves, 100000, "moves in the answer to `line`")                 \
  X(listed_puzzles, 2000, "puzzles in the answer to `list`")

struct message_limits {
#define X(field, value, meaning) uint64_t field;
  PROTO_LIMITS(X)
#undef X
};

extern const struct message_limits message_limits_default;

/* Says in `fault` that a message is too long (ERROR_LIMIT), and returns -EBADMSG. */
int limits_refuse_length(const struct message_limits *limits, struct fault *fault);

#endif
