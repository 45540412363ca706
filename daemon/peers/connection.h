/*
 * One client: bytes in, messages, answers out. Requests are handled in the order they came; those that
 * wait for a solve are answered when it ends, the others at once. The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_PEERS_CONNECTION_H
#define CATMOUSE_DAEMON_PEERS_CONNECTION_H

#include <uv.h>

#include "daemon/peers/peers.h"
#include "proto/buffer.h"
#include "proto/framer.h"
#include "proto/reply.h"

struct connection {
  uv_pipe_t pipe;
  struct peers *peers;
  struct link link;    /* in peers' connections */
  struct link touched; /* in peers' list of that name, or alone */
  struct framer framer;
  struct buffer in;      /* read and not yet dealt with: the beginning of a message, or more */
  struct buffer out;     /* answers not yet handed to the socket */
  struct buffer sending; /* answers that libuv is writing */
  uv_write_t write;

  /* A large message that a helper reads. It lies in `in`, so nothing else is read meanwhile. */
  struct {
    struct job job;
    struct request request;
    struct frame frame;
    int result; /* of request_decode() */
    struct fault fault;
    bool busy; /* other messages wait, and the connection stays in memory */
  } large;

  uint64_t unsent_counted, unfinished_counted,
      held_counted; /* its share of the sums in struct peers */
  uint64_t opened_ms;
  uint64_t message_began_ms; /* from when the message at hand could be sent */
  uint64_t active_ms;        /* when its peer last asked or read something */
  size_t unread_bytes;       /* of `sending`, at the last look... */
  uint64_t unread_since_ms;  /* ...and since when the number has not changed */

  bool reading; /* libuv reads */
  bool held;    /* the daemon does not want to read for now */
  bool stalled; /* `in` may hold whole messages that must wait, or have their turn later */
  bool writing; /* `sending` is in libuv's hands */
  bool ended;   /* the peer sends no more */
  bool refused; /* it is beyond --connections-max: told so, then closed */
  bool broken;  /* closed as soon as `out` is sent */
  bool closing; /* its handle is closing or closed */
  bool closed;  /* its handle is closed: only the helper keeps it */

  /* For requests/ alone, except for the count and the holder. */
  struct link
      waiting; /* requests that are answered later, or were answered `solving` and hold their solve */
  unsigned waiting_count;  /* of those that are answered later */
  struct waiting *holder;  /* the one that later messages wait for, or NULL */
  char named[ID_TEXT + 1]; /* the id of the puzzle that this connection last named, or "" */
};

/* Takes over an accepted descriptor, which is closed on failure. 0 or a negative errno. */
int connection_open(struct peers *peers, int fd, bool refused);

/* Gives up its waiting requests and closes its socket now; a callback frees the memory. */
void connection_close(struct connection *connection);

/* Has peers_flush() go on with the connection: something is to be sent, or a request has ended. */
void connection_touch(struct connection *connection);

/* Sends answers, handles messages that had to wait, then reads on, stops reading or closes. */
void connection_continue(struct connection *connection);

/* Its helper is done: goes on with the connection, or frees one that is closed. */
void connection_release(struct connection *connection);

/* Answers. Notifications get none. `result` as reply_result() takes it. */
void connection_reply(struct connection *connection, const struct request *request,
                      const void *result);
void connection_fail(struct connection *connection, const struct request *request,
                     const struct fault *fault);

/* To be called when an answer was written to the end of `out`: sees to it that it is whole. */
void connection_check_reply(struct connection *connection, const struct request *request);

/* The same for a message that is no request, so that only its id is known. */
void connection_fail_id(struct connection *connection, const struct request_id *id,
                        const struct fault *fault);

/* Tells what is wrong with the connection itself, once, and closes it when that is sent. `id`: NULL for none. */
void connection_break(struct connection *connection, const struct request_id *id, enum error error,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* To be called a few times within the shortest time that a peer may take: closes what takes too long. */
void connection_look(struct connection *connection);

/* connection_break() where there are too many. */
void connection_refuse(struct connection *connection, const struct request_id *id);

/* Is anything not yet sent? */
bool connection_is_sending(const struct connection *connection);

/* Keeps peers' sums of what the connection holds. */
void connection_account(struct connection *connection);

/* Empties a buffer of the connection and gives its memory back. */
void connection_forget_bytes(struct connection *connection, struct buffer *buffer);

#endif
