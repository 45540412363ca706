/* Requests into MessagePack-RPC, for the client. */
#ifndef CATMOUSE_PROTO_REQUEST_WRITE_H
#define CATMOUSE_PROTO_REQUEST_WRITE_H

#include "proto/buffer.h"
#include "proto/request.h"

/* Appends the request. Nothing is appended when `out` fails half-way. */
void request_encode(const struct request *request, struct buffer *out);

#endif
