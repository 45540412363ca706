/* Structs out of decoded MessagePack, by their shapes. Private to proto. */
#ifndef CATMOUSE_PROTO_SHAPE_READ_H
#define CATMOUSE_PROTO_SHAPE_READ_H

#include <msgpack.h>

#include "proto/errors.h"
#include "proto/shape.h"

/*
 * Reads a map into `structure`; its texts and lists are allocated in `zone`. Keys it does not know are
 * left alone. 0, -ENOMEM or -EBADMSG with `fault`.
 */
int shape_read(const struct shape *shape, const msgpack_object *object, msgpack_zone *zone,
               void *structure, struct fault *fault);

#endif
