/*
 * All connections together: how they come, what they share, and what bounds them. A peer that is silent, sends half a message or
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
struct memory;
struct requests;

enum { READ_BYTES = 64 << 10, REFUSED_MAX = 64 };

/* Whoever answers peers: what lies above, and functions that take it. */
struct peers_handler {
  struct requests *requests;
  struct memory *memory;
  void *context;
  /* Answers a request now or later. Takes what `request` holds. */
  void (*handle)(struct requests *requests, struct connection *connection, struct request *request);
  /* The connection closes: none of its requests is to be answered any longer. */
  void (*leave)(struct connection *connection);
  /* May the connections hold so many bytes more? */
  bool (*admits)(struct memory *memory, uint64_t bytes);
  /* Called at each look. True asks for further looks, even without peers. */
  bool (*look)(void *context);
  /* The last connection has gone. */
  void (*alone)(void *context);
};

struct peers {
  uv_loop_t *loop;             /* borrowed */
  const struct config *config; /* borrowed */
  struct workers *readers;     /* borrowed: read large messages. NULL once they are gone */
  struct peers_handler handler;
  struct link connections;
  struct link touched;       /* connections that peers_flush() goes on with */
  unsigned count;            /* of connections, with those refused */
  unsigned refused_count;    /* connections too many, to be told so and closed */
  uint64_t unsent_bytes;     /* of answers that peers have not read */
  uint64_t unfinished_bytes; /* of messages that are not whole yet */
  uint64_t message_bytes;    /* that connections hold in memory for answers and messages */
  int fd;                    /* the listening socket, owned */
  uv_poll_t poll;
  uint64_t descriptors; /* that there may be */
  uint64_t connections_max;
  struct log_rate refusals;
  uv_timer_t look_timer; /* runs while there is what may take too long */
  struct spin spin;
  bool draining; /* connections close once they have their answers */

  /* What was just read, for connections that have no part of a message left over. */
  char read_bytes[READ_BYTES];
};

/*
 * Asks the system for as many descriptors as connections are allowed. 0, or a negative errno where there are too few:
 * libuv aborts without some of them. To be called first, before there is a loop.
 */
int peers_prepare(struct peers *peers, const struct config *config);

/*
 * Accepts at `fd` once the loop runs. Its handles are closed with the others of the loop. `solves`: how many run now;
 * borrowed like `fd`. 0 or a negative errno.
 */
int peers_init(struct peers *peers, uv_loop_t *loop, int fd, struct workers *readers,
               const struct peers_handler *handler, const unsigned *solves);

/* Once a round of the loop: goes on with touched connections. Those still touched then have more to do in the next. */
void peers_flush(struct peers *peers);

/* No more connections; and those there are end once their peers have what they asked for, or now. */
void peers_drain(struct peers *peers);
void peers_close(struct peers *peers);

/* After the loop has closed. */
void peers_deinit(struct peers *peers);

#endif
