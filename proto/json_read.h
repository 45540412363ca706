/* JSON text to MessagePack. Private to proto. */
#ifndef CATMOUSE_PROTO_JSON_READ_H
#define CATMOUSE_PROTO_JSON_READ_H

#include <stdbool.h>

#include "proto/buffer.h"
#include "proto/errors.h"
#include "proto/limits.h"

/*
 * Appends the one JSON value that `text` holds, as MessagePack: never more than 5/2 of the text's
 * bytes and 5 more. An integer past 64 bits becomes a real, for whoever meets it to name and
 * refuse. Keys may come twice. 0 or -EBADMSG with `fault`: ERROR_PARSE for what is no JSON,
 * ERROR_REQUEST for a number that no real can hold, ERROR_LIMIT, ERROR_NO_MEMORY. Time linear in
 * the text.
 */
int json_read(const char *text, size_t length, const struct message_limits *limits,
              struct buffer *out, struct fault *fault);

/* Between what JSON is made of, any number of these may stand. */
static inline bool json_is_space(char byte)
{
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

#endif
