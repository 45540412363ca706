/* Answers to a connection's requests, into what it will send. Notifications get none. */
#ifndef CATMOUSE_DAEMON_REPLIES_H
#define CATMOUSE_DAEMON_REPLIES_H

#include "daemon/connection.h"

/* `result` as reply_result() takes it. */
void connection_reply(struct connection *connection, const struct request *request,
                      const void *result);

/* The puzzle `id` is not solved yet, and the request asked not to wait longer. */
void connection_reply_solving(struct connection *connection, const struct request *request,
                              const struct id *id);

void connection_fail(struct connection *connection, const struct request *request,
                     const struct fault *fault);

/* To be called when an answer was written to the end of `out`: sees to it that it is whole. */
void connection_check_reply(struct connection *connection, const struct request *request);

/* Answers with bytes that reply_result() has made already. */
void connection_reply_bytes(struct connection *connection, const struct request *request,
                            const struct buffer *bytes);

/* For what is no request, but must be told so. */
void connection_fail_id(struct connection *connection, const struct request_id *id,
                        const struct fault *fault);

#endif
