/* Requests: decoded by the daemon, from any encoding; encoded by the client, as MessagePack. */
#ifndef CATMOUSE_PROTO_REQUEST_H
#define CATMOUSE_PROTO_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buffer.h"
#include "proto/errors.h"
#include "proto/framer.h"
#include "proto/schema.h"
#include "solver/id.h"
#include "solver/puzzle.h"

enum request_id_kind {
  REQUEST_ID_NONE, /* a notification, which gets no answer, or an id that could not be read */
  REQUEST_ID_NUMBER,
  REQUEST_ID_TEXT, /* JSON only */
};

enum { REQUEST_ID_TEXT_MAX = 128, PARAM_TEXT_MAX = 64 };

struct request_id {
  enum request_id_kind kind;
  int64_t number;
  char text[REQUEST_ID_TEXT_MAX + 1];
};

bool request_id_equal(const struct request_id *a, const struct request_id *b);

/* A request and all it holds, independent of the bytes it came from. */
struct request {
  enum method method;
  uint32_t given; /* bit set of enum param: which of the fields below hold something */
  struct request_id id;
  struct puzzle puzzle; /* its memory is puzzle_memory, owned */
  void *puzzle_memory;
  struct request_id cancels;
  struct state state;
  uint32_t mouse_row;
  uint32_t cat_row;
  bool by_row;       /* the state's places are columns of these rows, until request_find_cells() */
  bool notification; /* gets no answer */
  bool progress;
  uint32_t limit_plies;
  uint32_t max;
  uint32_t wait_ms;
  char puzzle_id
      [ID_TEXT +
       1]; /* PARAM_ID or PARAM_CANCEL_PUZZLE: lower-case hex digits, ID_PREFIX_MIN or more */
  char client[PARAM_TEXT_MAX + 1]; /* cut there */
  char version[PARAM_TEXT_MAX + 1];
};

static inline bool request_has(const struct request *request, enum param param)
{
  return request->given >> param & 1;
}

/*
 * Decodes one message. 0: the caller owns `request` and ends it with request_deinit(). -EBADMSG:
 * `fault` says why, `request->id` and `notification` are set as far as they could be read, nothing
 * else is held; after ERROR_PARSE the connection must be closed. Out of memory is a fault too
 * (ERROR_NO_MEMORY). Any thread.
 */
int request_decode(const char *body, size_t length, enum encoding encoding,
                   const struct message_limits *limits, struct request *request,
                   struct fault *fault);
void request_deinit(struct request *request);

/*
 * Makes nodes of a state's rows and columns, in a puzzle of so many (0 unless it is a grid). 0, also where
 * the state has nodes already; or -EBADMSG with `fault` (ERROR_BAD_STATE).
 */
int request_find_cells(struct request *request, uint32_t rows, uint32_t cols, struct fault *fault);

/* Appends the request as MessagePack-RPC. */
void request_encode(const struct request *request, struct buffer *out);

#endif
