/* One message as a tree of msgpack_object. Private to proto. */
#ifndef CATMOUSE_PROTO_DOCUMENT_H
#define CATMOUSE_PROTO_DOCUMENT_H

#include <msgpack.h>
#include <stdbool.h>

#include "proto/errors.h"
#include "proto/limits.h"

/* The tree borrows its texts from the bytes it was read from. */
struct document {
  msgpack_object root;
  msgpack_zone zone;
};

/* Checks one whole message and unpacks it. 0 or -EBADMSG with `fault`, nothing held. */
int document_from_msgpack(const char *bytes, size_t length, const struct message_limits *limits,
                          struct document *document, struct fault *fault);

void document_deinit(struct document *document);

#endif
