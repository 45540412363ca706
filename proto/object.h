/* Small questions asked of a decoded value, and its name in a sentence. Private to proto. */
#ifndef CATMOUSE_PROTO_OBJECT_H
#define CATMOUSE_PROTO_OBJECT_H

#include <msgpack.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/value.h"

/* What value_describe() says of the same value. */
struct description object_describe(const msgpack_object *object);

/* Copies at most `size` bytes of a text and ends them with a NUL. */
void object_copy_text(const msgpack_object *text, uint32_t size, char *copy);

bool object_is_text(const msgpack_object *object, const char *text);

/* False unless it is an integer within the bounds. */
bool object_uint32(const msgpack_object *object, uint32_t *number);
bool object_uint64(const msgpack_object *object, uint64_t *number);

#endif
