/* What the daemon's loop thread owns, and how it leaves. For the files of the daemon. */
#ifndef CATMOUSE_DAEMON_SERVER_H
#define CATMOUSE_DAEMON_SERVER_H

#include <uv.h>

#include "daemon/config.h"
#include "daemon/deadlines.h"
#include "daemon/listener.h"
#include "daemon/notify.h"
#include "daemon/solves.h"
#include "daemon/spare.h"
#include "daemon/spin.h"
#include "daemon/store/store.h"
#include "daemon/ticker.h"
#include "proto/buffer.h"

enum { READ_BYTES = 64 << 10 };

struct server {
  struct config config;
  struct log log;
  struct notifier notifier;
  uv_loop_t loop;
  struct listener listener;
  uv_poll_t acceptor;
  uv_timer_t accept_retry;    /* runs while there is no descriptor to accept with */
  uv_async_t woken;           /* a worker has finished something */
  uv_fs_event_t folder_watch; /* of the socket's folder */
  uv_check_t polled;          /* everything that was readable has been read */
  struct spin spin;
  uv_signal_t sigterm, sigint;
  uv_timer_t tick;           /* runs while requests wait: progress, and peers that vanished */
  uv_timer_t deadline;       /* of the first request that waits for a limited time */
  uv_timer_t idle;           /* runs while nobody is connected */
  uv_timer_t draining_timer; /* ends a drain that takes too long */
  struct ticker watchdog;
  struct ticker patience;   /* runs while there is what may take too long */
  struct ticker store_tick; /* of store_tick() */

  struct cache cache;
  struct workers *solvers; /* solves and checks of whole tables */
  struct workers *helpers; /* what is too long for the loop and too short to queue behind solves */
  struct solves solves;
  struct spare spare;
  struct store *store; /* NULL where nothing is kept on disk */

  struct link connections;
  unsigned connection_count;
  uint64_t unfinished_bytes; /* of messages not whole yet, of all connections */
  unsigned waiting_count;    /* requests that are answered later, of all connections */
  struct link touched; /* connections with answers to send once the current event is dealt with */
  struct deadlines deadlines; /* of requests that wait for a limited time */

  uint64_t started_ms;
  uint64_t requests;
  uint64_t hits;
  uint64_t misses;
  int spare_fd; /* given up for a moment to turn a connection away when descriptors have run out */
  struct buffer scratch; /* for the moves of one answer */
  bool draining;
  bool ended; /* the handles are closing */

  /* What was just read, for connections that have no part of a message left over. */
  char read_bytes[READ_BYTES];
};

/* Sets up the loop, and all that it looks at but the socket. 0 or a negative errno. */
int server_loop_init(struct server *server);

/* Nobody is connected: the daemon leaves if that lasts. */
void server_watch_idleness(struct server *server);

/* The store holds a table no longer: there may be room for a solve, or no reason to stay. */
void server_released(void *server);

/* Stops accepting; ends the loop once what was asked is answered, or when the time for that is up. */
void server_drain(struct server *server, const char *why);

/* A connection is gone for good; the last one matters to a draining or idle daemon. */
void server_connection_gone(struct server *server);

/* Sends what the touched connections have to say. */
void server_flush(struct server *server);

/* Makes the loop call workers_collect() soon. Any thread. */
void server_wake(void *server);

#endif
