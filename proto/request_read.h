/* Requests out of messages of any encoding, for the daemon. */
#ifndef CATMOUSE_PROTO_REQUEST_READ_H
#define CATMOUSE_PROTO_REQUEST_READ_H

#include "proto/framer.h"
#include "proto/request.h"

/*
 * Decodes one message. 0: the caller owns `request` and ends it with request_deinit(). -EBADMSG:
 * `fault` says why, `request->id` and `notification` are set as far as they could be read, nothing
 * else is held; after ERROR_PARSE the connection must be closed. Out of memory is a fault too
 * (ERROR_NO_MEMORY). Any thread.
 */
int request_decode(const char *body, size_t length, enum encoding encoding,
                   const struct message_limits *limits, struct request *request,
                   struct fault *fault);

#endif
