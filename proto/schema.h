/*
 * The methods and parameters of the wire, once. Codecs, dispatch, client, tests, the fuzz
 * dictionary and PROTOCOL.md all go by these tables.
 */
#ifndef CATMOUSE_PROTO_SCHEMA_H
#define CATMOUSE_PROTO_SCHEMA_H

#include <stdint.h>

#define PROTOCOL_VERSION 1

/* X(constant, wire name, type) */
#define PROTO_PARAMS(X)                                                        \
  X(CLIENT, "client", "text")                                                  \
  X(VERSION, "version", "text")                                                \
  X(PUZZLE, "puzzle", "puzzle")                                                \
  X(WAIT_MS, "wait_ms", "milliseconds")                                        \
  X(PROGRESS, "progress", "boolean")                                           \
  X(STATE, "state", "state")                                                   \
  X(ID, "id", "id, or a prefix of at least 6 digits that only one puzzle has") \
  X(LIMIT, "limit", "plies, 0 for none")                                       \
  X(MAX, "max", "moves")                                                       \
  X(DEPTH, "depth", "plies")                                                   \
  X(REQUEST, "id", "request id")                                               \
  X(CANCEL_PUZZLE, "puzzle", "id, or a prefix of at least 6 digits that only one puzzle has")

enum param {
#define X(constant, ...) PARAM_##constant,
  PROTO_PARAMS(X)
#undef X
      PARAM_COUNT
};

#define P(constant) (1u << PARAM_##constant)

/* What query and its like take: which puzzle, and how long to wait until it is solved. */
#define PUZZLE_PARAMS (P(ID) | P(PUZZLE))
#define WAIT_PARAMS   (P(WAIT_MS) | P(PROGRESS))

/* X(constant, wire name, parameters it must have, parameters it may have, what it does) */
#define PROTO_METHODS(X)                                                                        \
  X(HELLO, "hello", 0, P(CLIENT) | P(VERSION), "says what the daemon is, can do and allows")    \
  X(PING, "ping", 0, 0, "answers \"pong\"")                                                     \
  X(SOLVE, "solve", P(PUZZLE), WAIT_PARAMS, "solves a puzzle, once")                            \
  X(QUERY, "query", P(STATE), PUZZLE_PARAMS | WAIT_PARAMS | P(LIMIT),                           \
    "values a state and ranks its moves")                                                       \
  X(LINE, "line", P(STATE), PUZZLE_PARAMS | WAIT_PARAMS | P(LIMIT) | P(MAX),                    \
    "plays best moves to the end")                                                              \
  X(EXPLAIN, "explain", P(STATE), PUZZLE_PARAMS | WAIT_PARAMS | P(LIMIT) | P(DEPTH),            \
    "proves who wins from a state")                                                             \
  X(STATS, "stats", 0, PUZZLE_PARAMS, "counts the outcomes of a whole table")                   \
  X(VERIFY, "verify", 0, PUZZLE_PARAMS, "checks every state of a table against its successors") \
  X(LIST, "list", 0, 0, "lists the solved puzzles")                                             \
  X(EVICT, "evict", P(ID), 0, "forgets one solved puzzle")                                      \
  X(CLEAR, "clear", 0, 0, "forgets every solved puzzle")                                        \
  X(STATUS, "status", 0, 0, "says how the daemon is doing")                                     \
  X(CANCEL, "cancel", 0, P(REQUEST) | P(CANCEL_PUZZLE),                                         \
    "cancels what this connection has asked for")                                               \
  X(SHUTDOWN, "shutdown", 0, 0, "drains, then ends the daemon")

/* X(constant, second wire name, whose word that is) */
#define PROTO_METHOD_ALIASES(X) X(CANCEL, "$/cancelRequest", "the Language Server Protocol")

enum method {
#define X(constant, ...) METHOD_##constant,
  PROTO_METHODS(X)
#undef X
      METHOD_COUNT
};

struct param_kind {
  const char *name;
  const char *type;
};

struct method_kind {
  const char *name;
  uint32_t required; /* bit set of enum param */
  uint32_t optional; /* bit set of enum param */
  const char *meaning;
};

extern const struct param_kind param_kinds[PARAM_COUNT];
extern const struct method_kind method_kinds[METHOD_COUNT];

/* The method of that wire name or second name, or METHOD_COUNT. */
enum method method_by_name(const char *name, uint32_t length);

#endif
