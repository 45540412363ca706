/* What a message may hold. Checked before anything is allocated from what a message claims. */
#ifndef CATMOUSE_PROTO_LIMITS_H
#define CATMOUSE_PROTO_LIMITS_H

#include <stdint.h>

#include "proto/errors.h"
#include "solver/puzzle.h"

/* X(field, default, meaning) */
#define PROTO_LIMITS(X)                                                   \
  X(message_bytes, 64u << 20, "bytes in one message")                     \
  X(depth, 16, "lists and objects of JSON inside each other")             \
  X(nodes, 4000000, "nodes of a graph, cells of a grid")                  \
  X(edges, 64000000, "neighbours listed in a graph, or moves of a grid")  \
  X(request_id_bytes, 128, "bytes in a JSON request id")                  \
  X(line_moves, 100000, "moves in the answer to `line`")                  \
  X(proof_states, 50000, "states in the answer to `explain`")             \
  X(proof_edges, 1000000, "neighbours in its puzzle, or moves of a grid") \
  X(listed_puzzles, 2000, "puzzles in the answer to `list`")

struct message_limits {
#define X(field, value, meaning) uint64_t field;
  PROTO_LIMITS(X)
#undef X
};

extern const struct message_limits message_limits_default;

/* Says in `fault` that a message is too long (ERROR_LIMIT), and returns -EBADMSG. */
int limits_refuse_length(const struct message_limits *limits, struct fault *fault);

/*
 * What of a puzzle a message may hold: for whoever reads one off the wire, and for whoever is about
 * to send one. These return 0, or -EBADMSG with `fault` (ERROR_LIMIT).
 */

int graph_check_limits(uint64_t nodes, uint64_t edges, const struct message_limits *limits,
                       struct fault *fault);

/* Counts the moves, too, that an arena might have to hold. */
int grid_check_limits(const struct grid_size *size, const int32_t jump[2],
                      const struct message_limits *limits, struct fault *fault);

/* Either, and that a message with it is not too long. In O(neighbours) or O(rows). */
int puzzle_check_limits(const struct puzzle *puzzle, const struct message_limits *limits,
                        struct fault *fault);

#endif
