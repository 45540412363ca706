/* A request that is answered later: it waits for a table, for a check of one, or for the store. */
#ifndef CATMOUSE_DAEMON_PENDING_H
#define CATMOUSE_DAEMON_PENDING_H

#include "daemon/connection.h"
#include "daemon/store/store.h"

struct check; /* private to checks.c */

struct pending {
  struct link link; /* in the connection's `waiting` */
  struct connection *connection;
  struct request request; /* owned */
  struct asker asker;
  struct check *check;         /* NULL unless it waits for one */
  struct store_waiter waiter;  /* linked while it waits for the store */
  unsigned recalls;            /* how often it did */
  struct result_evict evicted; /* its answer once the store has forgotten that */
  struct state start;          /* of the request's own puzzle */
  struct deadline deadline;    /* among the server's, or in none */
};

/* Takes `request` from its holder. NULL when out of memory, with nothing taken. */
struct pending *pending_new(struct connection *connection, struct request *request);

/* Answered: leaves its connection and is freed. */
void pending_end(struct pending *pending);

/* Unanswered: stops waiting for its solve or check, leaves its connection and is freed. */
void pending_give_up(struct pending *pending);

/* Answers `solving` once `wait_ms` are over; the solve goes on. 0 or -ENOMEM. */
int pending_set_deadline(struct pending *pending, uint64_t wait_ms);

/* Ends the waits that are over by now: some of them at a time, where they are many. */
void pending_on_deadline(uv_timer_t *timer);

/* Tells of the progress of solves, and looks for peers that vanished. */
void pending_on_tick(uv_timer_t *timer);

/* The connection's waiting request of this id, or NULL. */
struct pending *pending_find(struct connection *connection, const struct request_id *id);

#endif
