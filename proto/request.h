/* A request as a struct: request_read.h makes it of bytes, request_write.h makes bytes of it. */
#ifndef CATMOUSE_PROTO_REQUEST_H
#define CATMOUSE_PROTO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"
#include "proto/limits.h"
#include "proto/schema.h"
#include "solver/id.h"
#include "solver/puzzle.h"

enum request_id_kind {
  REQUEST_ID_NONE, /* a notification, which gets no answer; null; or an id that could not be read */
  REQUEST_ID_NUMBER,
  REQUEST_ID_TEXT, /* JSON only */
};

enum { REQUEST_ID_TEXT_MAX = 128 };

struct request_id {
  enum request_id_kind kind;
  uint32_t length; /* of the text, in bytes: it may hold any */
  int64_t number;
  char text[REQUEST_ID_TEXT_MAX];
};

bool request_id_equal(const struct request_id *a, const struct request_id *b);

struct value;

/*
 * Takes a number or a text; `what` names it in a sentence. 0, or -EBADMSG with `fault`: `error`
 * where it is neither, ERROR_LIMIT where it is too long.
 */
int request_id_read(const struct value *value, const struct message_limits *limits,
                    const char *what, enum error error, struct request_id *id, struct fault *fault);

/*
 * The id of a request that cannot be read as a whole, because it is damaged, too long, or has not
 * all come. `id` is left alone where there is none in these bytes.
 */
void request_id_find_msgpack(const char *bytes, size_t length, struct request_id *id);
void request_id_find_json(const char *text, size_t length, struct request_id *id);

enum { PARAM_TEXT_MAX = 64 };

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
  uint32_t depth_plies;
  uint32_t wait_ms;
  char puzzle_id[ID_TEXT + 1]; /* PARAM_ID, PARAM_CANCEL_PUZZLE: 6 lower-case hex digits or more */
  char client[PARAM_TEXT_MAX + 1]; /* cut there */
  char version[PARAM_TEXT_MAX + 1];
};

static inline bool request_has(const struct request *request, enum param param)
{
  return request->given >> param & 1;
}

/* Frees what the request owns. */
void request_deinit(struct request *request);

/*
 * Makes nodes of a state's rows and columns, in a puzzle of so many (0 unless it is a grid). 0,
 * also where the state has nodes already; or -EBADMSG with `fault` (ERROR_BAD_STATE).
 */
int request_find_cells(struct request *request, uint32_t rows, uint32_t cols, struct fault *fault);

#endif
