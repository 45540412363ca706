/* One message as a tree of msgpack_object, whichever encoding it came in. Private to proto. */
#ifndef CATMOUSE_PROTO_DOCUMENT_H
#define CATMOUSE_PROTO_DOCUMENT_H

#include <jansson.h>
#include <msgpack.h>
#include <stdbool.h>

#include "proto/errors.h"
#include "proto/limits.h"

/* The tree borrows its texts from the bytes it was read from (MessagePack) or from `json`. */
struct document {
  msgpack_object root;
  msgpack_zone zone;
  json_t *json; /* NULL for MessagePack */
};

/* Checks one whole message and unpacks it. 0 or -EBADMSG with `fault`, nothing held. */
int document_from_msgpack(const char *bytes, size_t length, const struct message_limits *limits,
                          struct document *document, struct fault *fault);

/*
 * Any JSON value. 0 or -EBADMSG with `fault`, nothing held: ERROR_PARSE for what is no JSON,
 * ERROR_REQUEST for JSON that cannot be held exactly, ERROR_LIMIT, ERROR_NO_MEMORY.
 * A text with an integer past 64 bits is read with that one rounded, for others to name and refuse.
 */
int document_from_json(const char *text, size_t length, const struct message_limits *limits,
                       struct document *document, struct fault *fault);

void document_deinit(struct document *document);

#endif
