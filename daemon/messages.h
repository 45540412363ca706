/* From a connection's bytes to dispatch(). For receiving.c, which reads them. */
#ifndef CATMOUSE_DAEMON_MESSAGES_H
#define CATMOUSE_DAEMON_MESSAGES_H

#include "daemon/connection.h"

/* Must what the peer sends wait for now? */
bool messages_must_wait(const struct connection *connection);

/*
 * Answers the messages in `bytes` until one has to wait, which stalls the connection; returns how many bytes
 * are done with. While `large.busy`, `in` must stay as it is.
 */
size_t messages_handle(struct connection *connection, const char *bytes, size_t length);

#endif
