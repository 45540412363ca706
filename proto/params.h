/* The parameters of a request, by the tables of schema.h. Private to proto. */
#ifndef CATMOUSE_PROTO_PARAMS_H
#define CATMOUSE_PROTO_PARAMS_H

#include "proto/request.h"
#include "proto/value.h"

/*
 * Reads what `request->method` takes: `params` is a map, a list of one map, or nothing (nil, an empty list, or no
 * value at all), which is changed, and `reader` stands where its children begin. 0 or -EBADMSG with `fault`; what
 * request_deinit() frees may be held either way.
 */
int params_read(struct value *params, struct reader *reader, const struct message_limits *limits,
                struct request *request, struct fault *fault);

#endif
