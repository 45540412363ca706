/* Every error that can cross the wire, once, and the struct that carries one with its sentence. */
#ifndef CATMOUSE_PROTO_ERRORS_H
#define CATMOUSE_PROTO_ERRORS_H

#include <stdbool.h>

/*
 * X(constant, wire name, JSON code, MessagePack class: 1 the request is at fault, 0 the daemon is,
 *   whether the same request may succeed when it is sent again, meaning)
 */
#define PROTO_ERRORS(X)                                                                         \
  X(PARSE, "E_PARSE", -32700, 1, "never", "the bytes are no message; the connection is closed") \
  X(REQUEST, "E_REQUEST", -32600, 1, "never", "a message, but no request")                      \
  X(METHOD, "E_METHOD", -32601, 1, "never", "no such method")                                   \
  X(PARAMS, "E_PARAMS", -32602, 1, "never",                                                     \
    "a parameter is missing, unknown or of the wrong type")                                     \
  X(BAD_PUZZLE, "E_BAD_PUZZLE", -32602, 1, "never", "the puzzle breaks a rule of its game")     \
  X(BAD_STATE, "E_BAD_STATE", -32602, 1, "never", "no such state in this puzzle")               \
  X(LIMIT, "E_LIMIT", -32602, 1, "never",                                                       \
    "the request is larger or deeper than the daemon's limits allow")                           \
  X(UNKNOWN_ID, "E_UNKNOWN_ID", -32803, 1, "never",                                             \
    "no solved puzzle has this id, or more than one does")                                      \
  X(NO_PUZZLE, "E_NO_PUZZLE", -32803, 1, "never",                                               \
    "neither id nor puzzle given, and this connection named none before")                       \
  X(TOO_LARGE, "E_TOO_LARGE", -32803, 1, "never",                                               \
    "solving would take more memory than the daemon may use")                                   \
  X(LONG_PROOF, "E_LONG_PROOF", -32803, 1, "never",                                             \
    "a proof would be larger than the limits allow; its beginning may be had")                  \
  X(TIMEOUT, "E_TIMEOUT", -32803, 1, "later", "it took longer than the daemon's limits allow")  \
  X(BUSY, "E_BUSY", -32803, 0, "later", "too many requests or solves are waiting already")      \
  X(DRAINING, "E_DRAINING", -32803, 0, "reconnect",                                             \
    "the daemon is shutting down and takes no new requests")                                    \
  X(CANCELLED, "E_CANCELLED", -32800, 1, "later", "the request was cancelled")                  \
  X(NO_MEMORY, "E_NO_MEMORY", -32603, 0, "later", "out of memory")                              \
  X(INTERNAL, "E_INTERNAL", -32603, 0, "later", "a fault of the daemon's own, or of its disk")

enum error {
#define X(constant, ...) ERROR_##constant,
  PROTO_ERRORS(X)
#undef X
      ERROR_COUNT
};

struct error_kind {
  const char *name;
  int json_code;
  bool caller_at_fault;
  const char *retry; /* "never", "later", or "reconnect" */
  const char *meaning;
};

extern const struct error_kind error_kinds[ERROR_COUNT];

/* The error of that wire name, or ERROR_COUNT. */
enum error error_by_name(const char *name);

/* An error with the sentence that goes with it. */
struct fault {
  enum error error;
  char text[256];
};

/* Fills `fault` (printf style, cut at its size) and returns -EBADMSG, for a caller to pass on. */
int fault_set(struct fault *fault, enum error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
