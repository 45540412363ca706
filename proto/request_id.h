/* The ids by which a connection's requests are told from each other. */
#ifndef CATMOUSE_PROTO_REQUEST_ID_H
#define CATMOUSE_PROTO_REQUEST_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"
#include "proto/limits.h"

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
 * Takes a number or a text; `what` names it in a sentence. 0, or -EBADMSG with `fault`: `error` where it is
 * neither, ERROR_LIMIT where it is too long.
 */
int request_id_read(const struct value *value, const struct message_limits *limits,
                    const char *what, enum error error, struct request_id *id, struct fault *fault);

/*
 * The id of a request that cannot be read as a whole, because it is damaged, too long, or has not all come.
 * `id` is left alone where there is none in these bytes.
 */
void request_id_find_msgpack(const char *bytes, size_t length, struct request_id *id);
void request_id_find_json(const char *text, size_t length, struct request_id *id);

#endif
