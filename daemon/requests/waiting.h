/*
 * A request that is answered later: it waits for a solve, for the store, or for a thread that makes a large puzzle or
 * writes a long answer. One that was answered `solving` stays behind as its connection's claim to the solve. The loop's
 * thread.
 */
#ifndef CATMOUSE_DAEMON_REQUESTS_WAITING_H
#define CATMOUSE_DAEMON_REQUESTS_WAITING_H

#include "daemon/requests/requests.h"

struct waiting;

/* The puzzle is known by now; posing.h says what there is of it. */
typedef void waiting_found(struct waiting *waiting, const struct id *id, struct posed *posed);

struct waiting {
  struct link
      link; /* in the connection's `waiting`; alone where it was given up while a thread had it */
  struct requests *requests;
  struct connection *connection;
  struct request request;     /* owned */
  struct state start;         /* of the request's own puzzle */
  struct asker asker;         /* waits for a solve, or not */
  struct store_request store; /* waits for the store, or not */
  uint64_t deadline_ms;       /* when its wait_ms are over, or 0 */
  bool background;            /* it was answered `solving` */

  /* What a thread does for it. */
  struct job job;
  int result;
  struct fault fault; /* why there is no result; that the daemon leaves, where the job never ran */
  bool submitted;     /* to a pool */

  /* For posing.c, but for its end. */
  waiting_found *found;
  struct posed posed;    /* as the job makes it */
  uint64_t puzzle_bytes; /* that its puzzle and the arena take at most, where it is large */
  struct link queued;    /* in the requests' `large_puzzles` */

  /* A long answer. */
  struct solved *solved; /* referenced; NULL unless there is one */
  struct buffer bytes;   /* the answer, owned */
  enum encoding encoding;
};

/* Takes what `request` holds. NULL when out of memory, with nothing taken, and the peer told. */
struct waiting *waiting_new(struct requests *requests, struct connection *connection,
                            struct request *request);

/* Later requests of the connection are handled only when this one has ended, or waiting_let_go() was called. */
void waiting_hold(struct waiting *waiting);
void waiting_let_go(struct waiting *waiting);

/* Answers `solving` after the request's wait_ms, if it has some: its solve goes on. */
void waiting_begin(struct waiting *waiting);

/*
 * To be called with what a function of the store's returned for `waiting->store`: where the store will not call back,
 * its `done` is called at once, and told why.
 */
void waiting_for_store(struct waiting *waiting, int result);

/* Has the store done what it was asked, or has it nothing to do? False: the peer is told that `what` was not done. */
bool waiting_was_stored(struct waiting *waiting, const char *what);

/* Answered: leaves its connection and is freed. */
void waiting_end(struct waiting *waiting);
void waiting_fail(struct waiting *waiting, const struct fault *fault);

/* Unanswered: stops what it waits for, leaves its connection and is freed. */
void waiting_give_up(struct waiting *waiting);
void waiting_give_up_all(struct connection *connection);

/* Has a pool do its `job`. */
void waiting_submit(struct waiting *waiting, struct workers *pool);

/*
 * Answers and ends it once a thread has written an answer that is too long for the loop: `stats`, `verify`, `explain`,
 * a long `query` or `line`.
 */
void waiting_write_answer(struct waiting *waiting, struct solved *solved);

/* For the job's done(): frees a request that was given up. */
void waiting_free(struct waiting *waiting);

/* Once a round of the loop: answers those whose wait_ms are over. */
void waiting_end_waits(struct requests *requests);

/* Sends progress to the peers that asked for it. */
void waiting_tell_progress(struct requests *requests);

#endif
