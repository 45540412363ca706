/*
 * A daemon that says what it is told to: a client is connected to one end of a socket pair, and the test
 * holds the other. Answers are written before they are asked for, so that nothing has to run beside the
 * client.
 */
#ifndef CATMOUSE_TESTS_CLIENT_PEER_H
#define CATMOUSE_TESTS_CLIENT_PEER_H

#include "client/client.h"

struct peer {
  struct cm_client *client; /* never starts a daemon; another connection of it is refused */
  int fd;                   /* the daemon's end, -1 when closed */
};

/* `options` may be NULL. */
void peer_init(struct peer *peer, const struct cm_options *options);
void peer_deinit(struct peer *peer);

/* Connects the client of `peer` to a fresh pair; for a client that has been disconnected. */
void peer_connect(struct peer *peer);
void peer_close(struct peer *peer);

void peer_say(struct peer *peer, const void *bytes, size_t length);
void peer_say_buffer(struct peer *peer, struct buffer *bytes); /* and frees it */
void peer_answer(struct peer *peer, uint32_t id, enum method method, const void *result);
void peer_refuse(struct peer *peer, uint32_t id, enum error error, const char *text);
void peer_tell_progress(struct peer *peer, uint32_t id, const struct progress *progress);

/* The next request that the client sent; the caller ends it with request_deinit(). */
void peer_take_request(struct peer *peer, struct request *request);

/* Has the client sent nothing more? */
bool peer_heard_all(struct peer *peer);

#endif
