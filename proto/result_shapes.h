/* The shapes of result.h's structs. Private to proto. */
#ifndef CATMOUSE_PROTO_RESULT_SHAPES_H
#define CATMOUSE_PROTO_RESULT_SHAPES_H

#include "proto/schema.h"
#include "proto/shape.h"

/* What `method` answers; NULL for ping, whose answer is the text "pong". */
const struct shape *result_shape(enum method method);

extern const struct shape
    shape_solving; /* result_solving: what is answered instead where `wait_ms` ran out */
extern const struct shape shape_progress;

#endif
