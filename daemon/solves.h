/*
 * Who waits for which table. It is read from the store where that has it, else solved. Puzzles with the
 * same id are solved once, however many ask; a solve that nobody waits for any longer is stopped; one that
 * would not fit in memory is refused before it starts, and one that doesn't fit beside what is running now
 * waits. Finished tables go into the cache.
 * All functions belong to one thread; the solves run on a pool's.
 */
#ifndef CATMOUSE_DAEMON_SOLVES_H
#define CATMOUSE_DAEMON_SOLVES_H

#include "daemon/budget.h"
#include "daemon/workers.h"
#include "proto/result.h"

struct store;
struct solve_job; /* private: solve_job.h */

struct solves {
  struct cache *cache;                /* borrowed */
  struct workers *workers;            /* borrowed */
  struct store *store;                /* borrowed, or NULL */
  const struct daemon_limits *limits; /* borrowed */
  unsigned threads;                   /* of the pool */
  struct budget budget;
  struct id_map map;    /* solves that can be joined */
  struct link waiting;  /* solves not yet handed to the pool */
  struct link in_pool;  /* solves that are */
  struct link finished; /* solves whose askers are still to be answered */
  struct link spent;    /* solves whose memory is still to be given back */
  uint64_t spent_bytes; /* of these */
  size_t spent_count;
  unsigned waiting_count;
  unsigned started; /* solves in the pool */
  uint64_t solved;  /* since the start */
  bool closing;     /* nothing is started any more */
  bool shrinking;   /* more must leave the cache: solves_continue() will see to that */
};

/* Embedded in whoever waits for a solve. */
struct asker {
  /*
   * Called once, unless the asker leaves first: with the entry, valid until it returns, or with NULL
   * and a fault. The asker has left the solve by then.
   */
  void (*answer)(struct asker *asker, struct solved *solved, const struct fault *fault);
  bool recalls;            /* the puzzle was named by id: it doesn't become the current one */
  struct solve_job *solve; /* NULL unless it waits */
  struct link link;
};

/* 0 or -ENOMEM. `store` is set by the caller afterwards, where there is one. */
int solves_init(struct solves *solves, struct cache *cache, struct workers *workers,
                unsigned threads, const struct daemon_limits *limits);

/* From now on nothing is started: the pools may go, and what is in them comes back. */
void solves_close(struct solves *solves);

/*
 * Moves to `list` the solves whose memory is still to be given back, for solves_free_spent() on whatever thread
 * has the time; then budget_left() is to be told.
 */
void solves_take_spent(struct solves *solves, struct link *list);
void solves_free_spent(struct link *list);

/* The pool is gone by now, and so are all askers. */
void solves_deinit(struct solves *solves);

/*
 * Has `*arena`, whose id this is and which the cache doesn't hold, solved for `asker`; or, where that is
 * NULL, for whoever will ask later. Where the arena is needed it is taken, and NULL left in its place. 0, or
 * -EBADMSG with `fault`.
 */
int solves_ask(struct solves *solves, struct arena **arena, const struct id *id,
               struct asker *asker, struct fault *fault);

/* The asker waits no longer. With `keep` the solve goes on though nobody may be left. */
void solves_leave(struct solves *solves, struct asker *asker, bool keep);

/* How far the solve has come that this asker waits for. */
struct progress solves_progress(const struct asker *asker);

/* Stops the solves that have run for longer than the limit says; their askers are told so. */
void solves_stop_overdue(struct solves *solves);

/* Starts what fits. To be called when references to cached entries were given up, or memory given back. */
void solves_start_waiting(struct solves *solves);

/*
 * To be called when the pool's owner was woken: some more askers are answered, and while `shrinking` some more
 * tables leave the cache, or what waits is started.
 */
void solves_continue(struct solves *solves);

#endif
