/*
 * One client: bytes in, messages, answers out. Requests are handled in the order they came; those that
 * wait for a solve are answered when it ends, the others at once.
 */
#ifndef CATMOUSE_DAEMON_CONNECTION_H
#define CATMOUSE_DAEMON_CONNECTION_H

#include <uv.h>

#include "daemon/incoming.h"
#include "daemon/server.h"
#include "proto/buffer.h"
#include "proto/framer.h"
#include "proto/reply.h"

struct connection {
  uv_pipe_t pipe;
  struct server *server;
  struct link link;    /* in the server's connections */
  struct link touched; /* in the server's list of that name, or alone */
  struct framer framer;
  struct buffer in;      /* read and not yet dealt with: the beginning of a message, or more */
  struct buffer out;     /* answers not yet handed to the socket */
  struct buffer sending; /* answers that libuv is writing */
  uv_write_t write;
  struct link waiting; /* its requests that are answered later: struct pending */
  unsigned waiting_count;

  /* A large message being read by a helper; it borrows from `in`, so nothing else happens meanwhile. */
  struct {
    struct job job;
    struct incoming incoming;
    const char *body;
    size_t length;
    size_t consumed;
    int result; /* of incoming_read() */
    struct fault fault;
    bool busy;
  } large;

  size_t in_counted;         /* of `in`, in the server's unfinished_bytes */
  uint64_t message_began_ms; /* in the loop's clock: from when the message at hand could be sent */
  uint64_t active_ms;        /* when something last happened */
  size_t unread_bytes;       /* of `sending`, when somebody last looked... */
  uint64_t unread_since_ms;  /* ...and since when they have been that many */

  bool reading; /* libuv reads */
  bool held;    /* nothing may be read for now */
  bool stalled; /* `in` may hold whole messages that had to wait */
  bool writing; /* `sending` is in libuv's hands */
  bool ended;   /* the peer sends no more */
  bool refused; /* one connection too many: told so at its first request */
  bool broken;  /* closed as soon as `out` is sent */
  bool closing; /* its handle is closing or closed */
  bool closed;  /* only a large message being read keeps it */
};

/* Takes over an accepted descriptor, which is closed on failure. 0 or a negative errno. */
int connection_open(struct server *server, int fd, bool refused);

/* Gives up its waiting requests and goes, now; the memory follows in a callback. */
void connection_close(struct connection *connection);

/* To be called when a large message was read or the handle has closed: frees what nothing needs any longer. */
void connection_free_if_closed(struct connection *connection);

/* There is something to send, or one request less to wait for: server_flush() will see to it. */
void connection_touch(struct connection *connection);

/* Sends, handles what had to wait, reads again or closes, as the state of things allows. */
void connection_continue(struct connection *connection);

/* Closes it if its peer has gone without a trace that reading would show. */
void connection_check_peer(struct connection *connection);

#endif
