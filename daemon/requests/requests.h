/*
 * What each method does: from a request to its answer. Requests about a table at hand are answered at once; the
 * others wait (waiting.h) for a solve, for the store, or for a thread that writes a long answer. The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_REQUESTS_REQUESTS_H
#define CATMOUSE_DAEMON_REQUESTS_REQUESTS_H

#include "daemon/peers/connection.h"
#include "daemon/solves/solves.h"

/* All borrowed but for what is marked as owned. */
struct requests {
  const struct config *config;
  struct peers *peers;
  struct memory *memory;
  struct solves *solves;
  struct store *store;     /* or NULL */
  struct workers *solvers; /* pass over whole tables, beside solves */
  struct workers *readers; /* make large puzzles */
  struct workers *writers; /* write long answers */
  void (*shut_down)(void *context, const char *why);
  void *context;             /* of that */
  uint64_t deadline_ms;      /* when the first wait_ms end; UINT64_MAX for never */
  struct link large_puzzles; /* struct waiting: they wait for memory */
  unsigned waiting_count;    /* requests that are answered later, of all connections */
  uint64_t requests;         /* since the start, as the next two */
  uint64_t hits;             /* answered from a table at hand */
  uint64_t misses;
  uint64_t started_ms;
  struct buffer scratch; /* owned: for the moves of one answer */
};

/* What is borrowed is set already. */
void requests_init(struct requests *requests);
void requests_deinit(struct requests *requests);

/* Answers a request now or later. Takes what `request` holds. */
void requests_handle(struct requests *requests, struct connection *connection,
                     struct request *request);

#endif
