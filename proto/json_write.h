/* MessagePack to JSON text. Private to proto. */
#ifndef CATMOUSE_PROTO_JSON_WRITE_H
#define CATMOUSE_PROTO_JSON_WRITE_H

#include "proto/buffer.h"

/*
 * Appends the JSON of the one item that `bytes` begin with, on one line. The item is whole and well
 * formed. Bytes that are no UTF-8 become U+FFFD; what JSON has no word for, null.
 */
void json_write(struct buffer *out, const char *bytes, size_t length);

#endif
