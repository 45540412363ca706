/*
 * All connections together: what they share, and what bounds them. A peer that is silent, sends half a message or
 * reads no answers is closed in time; where unread answers of all peers are too many, the peer with the most goes.
 * The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_PEERS_PEERS_H
#define CATMOUSE_DAEMON_PEERS_PEERS_H

#include <uv.h>

#include "daemon/base/list.h"
#include "daemon/base/workers.h"
#include "daemon/config.h"
#include "daemon/peers/spin.h"
#include "proto/request_read.h"

struct connection;

enum { READ_BYTES = 64 << 10, REFUSED_MAX = 64 };

/* What peers ask of whoever answers them. All get `context`. */
struct peers_handler {
  void *context;
  /* Answers a request now or later. Takes what `request` holds. */
  void (*handle)(void *context, struct connection *connection, struct request *request);
  /* The connection closes: none of its requests is to be answered any longer. */
  void (*leave)(void *context, struct connection *connection);
  /* May the connections hold so many bytes more? */
  bool (*admits)(void *context, uint64_t bytes);
  /* Looks after all else that goes by the clock. Is there a reason to look again, even without peers? */
  bool (*look)(void *context);
  /* The last connection has gone. */
  void (*alone)(void *context);
};

struct peers {
  uv_loop_t *loop;             /* borrowed */
  const struct config *config; /* borrowed */
  struct log *log;             /* borrowed */
  struct workers *readers;     /* borrowed: read large messages. NULL once they are gone */
  struct peers_handler handler;
  struct link connections;
  struct link touched; /* connections with something to do once the current event is dealt with */
  unsigned count;      /* of connections, with those refused */
  unsigned refused_count;    /* connections too many, to be told so and closed */
  uint64_t unsent_bytes;     /* of answers that peers have not read */
  uint64_t unfinished_bytes; /* of messages that are not whole yet */
  uint64_t message_bytes;   /* that connections hold in memory for both, and for reading messages */
  uv_timer_t look_timer;    /* runs while there is what may take too long */
  uv_timer_t refused_timer; /* runs while there are refused connections */
  struct spin spin;
  bool draining; /* connections close once they have their answers */

  /* What was just read, for connections that have no part of a message left over. */
  char read_bytes[READ_BYTES];
};

/* Its handles are closed with the others of the loop. `solves`: how many run now, borrowed. */
void peers_init(struct peers *peers, uv_loop_t *loop, const struct config *config, struct log *log,
                struct workers *readers, const struct peers_handler *handler,
                const unsigned *solves);

/* Looks after the connections from time to time, from now on, until there are none. */
void peers_watch(struct peers *peers);

/* Sends what the touched connections have to say. */
void peers_flush(struct peers *peers);

/* Connections end once their peers have what they asked for. */
void peers_drain(struct peers *peers);
void peers_close(struct peers *peers);

/* Closes connections whose peers have gone without a trace that reading would show. */
void peers_check_gone(struct peers *peers);

#endif
