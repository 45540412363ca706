/* The state of a request, whose places are nodes or a grid's rows and columns. Private to proto. */
#ifndef CATMOUSE_PROTO_STATE_READ_H
#define CATMOUSE_PROTO_STATE_READ_H

#include "proto/request.h"
#include "proto/value.h"

/* Reads the state whose head is `map` into `state`, `by_row` and the rows. 0, or -EBADMSG with `fault`. */
int state_read(const struct value *map, struct reader *reader, struct request *request,
               struct fault *fault);

#endif
