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

struct puzzle_job; /* private to requests/ */

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
    const char *body;
    size_t length;
    size_t consumed;
    int result; /* of request_decode() */
    struct fault fault;
    bool busy;
  } large;

  uint64_t unsent_counted, unfinished_counted, held_counted; /* of it, in peers' sums */
  uint64_t opened_ms;
  uint64_t message_began_ms; /* from when the message at hand could be sent */
  uint64_t active_ms;        /* when something last happened */
  size_t unread_bytes;       /* of `sending`, when somebody last looked... */
  uint64_t unread_since_ms;  /* ...and since when they have been that many */

  unsigned holds; /* messages must wait while there are any */
  bool reading;   /* libuv reads */
  bool held;      /* nothing may be read for now */
  bool stalled;   /* `in` may hold whole messages that had to wait */
  bool writing;   /* `sending` is in libuv's hands */
  bool ended;     /* the peer sends no more */
  bool refused;   /* one connection too many */
  bool broken;    /* closed as soon as `out` is sent */
  bool closing;   /* its handle is closing or closed */
  bool closed;    /* only a large message being read keeps it */

  /* Kept here for requests/, which alone look at them, but for the count. */
  struct link waiting;           /* requests that are answered later */
  struct link background;        /* requests that were answered `solving`, and hold their solve */
  unsigned waiting_count;        /* of the first list */
  struct puzzle_job *puzzle_job; /* of a large puzzle being made, or NULL */
  unsigned long_answers;         /* that a thread writes */
  char named[ID_TEXT + 1];       /* the id of the puzzle that this connection last named, or "" */
};

/* Takes over an accepted descriptor, which is closed on failure. 0, then peers_watch() is due; or a negative errno. */
int connection_open(struct peers *peers, int fd, bool refused);

/* Gives up its waiting requests and goes, now; the memory follows in a callback. */
void connection_close(struct connection *connection);

/* There is something to send, or one request less to wait for: peers_flush() will see to it. */
void connection_touch(struct connection *connection);

/* Sends, handles what had to wait, reads again or closes, as the state of things allows. */
void connection_continue(struct connection *connection);

/* Keeps later messages waiting until as many calls of connection_release() have come. */
void connection_hold(struct connection *connection);
void connection_release(struct connection *connection);

/* Answers. Notifications get none. `result` as reply_result() takes it. */
void connection_reply(struct connection *connection, const struct request *request,
                      const void *result);
void connection_fail(struct connection *connection, const struct request *request,
                     const struct fault *fault);

/* The puzzle `id` is not solved yet, and the request asked not to wait longer. */
void connection_reply_solving(struct connection *connection, const struct request *request,
                              const struct id *id);

/* To be called when an answer was written to the end of `out`: sees to it that it is whole. */
void connection_check_reply(struct connection *connection, const struct request *request);

/* Answers with bytes that reply_result() has made already. */
void connection_reply_bytes(struct connection *connection, const struct request *request,
                            const struct buffer *bytes);

/* For what is no request, but must be told so. */
void connection_fail_id(struct connection *connection, const struct request_id *id,
                        const struct fault *fault);

/* Tells what is wrong with the connection itself, and closes it once that is sent. */
void connection_break(struct connection *connection, enum error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Tells a connection too many that it is one, and closes it. */
void connection_refuse(struct connection *connection, const struct request_id *id);

/* Does it neither ask nor wait for anything? */
bool connection_is_idle(const struct connection *connection);

/* How long, by now, the peer has read nothing of what waits for it; 0 where nothing waits. */
uint64_t connection_stuck_ms(struct connection *connection);

/* Is anything not yet sent? */
bool connection_is_sending(const struct connection *connection);

/* Closes it if its peer has gone without a trace that reading would show. */
void connection_check_gone(struct connection *connection);

/* Keeps peers' sums of what the connection holds. */
void connection_account(struct connection *connection);

/* Empties a buffer of the connection and gives its memory back. */
void connection_forget_bytes(struct connection *connection, struct buffer *buffer);

/* For receive.c: frees a closed connection once no helper reads a message of it. */
void connection_free_if_closed(struct connection *connection);

#endif
