/* What msgpack-c has decoded: its values, and structs by their shapes. Private to proto. */
#ifndef CATMOUSE_PROTO_SHAPE_READ_H
#define CATMOUSE_PROTO_SHAPE_READ_H

#include <msgpack.h>

#include "proto/errors.h"
#include "proto/shape.h"
#include "proto/value.h"

/* The same as it would be read off its bytes. */
struct value object_value(const msgpack_object *object);

/* What a map has under a key, NULL where it has no such key or is no map. */
const msgpack_object *object_at(const msgpack_object *map, const char *key);

/* Asked of each key, so no value is made for it. The pointer of an empty text may be NULL. */
static inline bool object_is_text(const msgpack_object *object, const char *text)
{
  return object->type == MSGPACK_OBJECT_STR && object->via.str.size == strlen(text) &&
         (!*text || memcmp(object->via.str.ptr, text, object->via.str.size) == 0);
}

static inline bool object_uint32(const msgpack_object *object, uint32_t *number)
{
  const struct value value = object_value(object);
  return value_uint32(&value, number);
}

/*
 * Reads a map into `structure`; its texts and lists are allocated in `zone`. Keys it does not know
 * are left alone. 0, -ENOMEM or -EBADMSG with `fault`.
 */
int shape_read(const struct shape *shape, const msgpack_object *object, msgpack_zone *zone,
               void *structure, struct fault *fault);

#endif
