/*
 * A request that is answered later: it waits for a solve, for the store, or for a thread that goes through a table.
 * One that was answered `solving` stays behind as its connection's claim to the solve. The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_REQUESTS_WAITING_H
#define CATMOUSE_DAEMON_REQUESTS_WAITING_H

#include "daemon/requests/requests.h"

struct table_job; /* private to table_jobs.c */

struct waiting {
  struct link link; /* in the connection's `waiting`, or in its `background` */
  struct requests *requests;
  struct connection *connection;
  struct request request;      /* owned, without its puzzle's memory */
  struct state start;          /* of the request's own puzzle */
  struct asker asker;          /* waits for a solve, or not */
  struct store_request store;  /* waits for the store, or not */
  struct table_job *table_job; /* NULL unless it waits for one */
  struct result_evict evicted; /* its answer once the store has forgotten that, too */
  uv_timer_t *deadline;        /* of its wait_ms, or NULL */
  bool holds;                  /* later requests of the connection wait for it */
  bool background;             /* it is answered */
};

/* Takes what `request` holds. NULL when out of memory, with nothing taken, and the peer told. */
struct waiting *waiting_new(struct requests *requests, struct connection *connection,
                            struct request *request);

/* Later requests of the connection are handled only when this one has ended, or waiting_let_go() was called. */
void waiting_hold(struct waiting *waiting);
void waiting_let_go(struct waiting *waiting);

/* Answers `solving` after the request's wait_ms, if it has some: its solve goes on. -ENOMEM. */
int waiting_begin(struct waiting *waiting);

/* Answered: leaves its connection and is freed. */
void waiting_end(struct waiting *waiting);
void waiting_fail(struct waiting *waiting, const struct fault *fault);

/* The same where the store has ended its request with an error: `what` was not done. */
void waiting_fail_in_store(struct waiting *waiting, const char *what);

/* Unanswered: stops what it waits for, leaves its connection and is freed. */
void waiting_give_up(struct waiting *waiting);
void waiting_give_up_all(struct connection *connection);

/* The connection's request of this id, or one that waits for the solve of a puzzle whose id begins so; or NULL. */
struct waiting *waiting_find(struct connection *connection, const struct request_id *id);
struct waiting *waiting_find_puzzle(struct connection *connection, const char *digits);

#endif
