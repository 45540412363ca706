/*
 * Solves, one a puzzle however many ask. A solve waits until its memory and a thread are free, runs, has its puzzle
 * kept on disk, and then answers those who asked for it; its table goes into the cache. A solve that nobody waits
 * for any longer is stopped. One that could never fit in memory is refused before it begins.
 * The loop's thread; the solves run on a pool's.
 */
#ifndef CATMOUSE_DAEMON_SOLVES_SOLVES_H
#define CATMOUSE_DAEMON_SOLVES_SOLVES_H

#include "daemon/solves/memory.h"
#include "daemon/store/store.h"
#include "proto/result.h"

struct solve_job; /* private: solve_job.h */

struct solves {
  struct memory *memory;              /* borrowed */
  struct workers *workers;            /* borrowed */
  struct store *store;                /* borrowed, or NULL */
  const struct daemon_limits *limits; /* borrowed */
  unsigned threads;                   /* of the pool */
  struct id_map map;                  /* solves that can be joined */
  struct link waiting, running, keeping, finished;
  unsigned waiting_count;
  unsigned running_count;
  uint64_t solved; /* since the start */
  bool closing;    /* nothing is started any more */
};

/* Embedded in whoever waits for a solve. */
struct asker {
  /*
   * Called once, unless the asker leaves first: with the entry, valid until it returns, or with NULL
   * and a fault. The asker has left the solve by then.
   */
  void (*answer)(struct asker *asker, struct solved *solved, const struct fault *fault);
  struct solve_job *solve; /* NULL unless it waits */
  struct link link;
};

/* A checked puzzle on its way to a solve. */
struct posed {
  struct arena *arena;    /* owned, or NULL */
  struct id id;           /* of the arena */
  uint64_t charged_bytes; /* for the arena; 0 where it is little and was not charged yet */
  bool on_disk;           /* it came from the store */
};

/* 0 or -ENOMEM. */
int solves_init(struct solves *solves, struct memory *memory, struct workers *workers,
                unsigned threads, const struct daemon_limits *limits, struct store *store);

/* From now on nothing is started: the pool and the store may go, and what is in them comes back. */
void solves_close(struct solves *solves);

/* The pool and the store are gone by now, and so are all askers. */
void solves_deinit(struct solves *solves);

/*
 * Has a puzzle solved that the cache does not hold; takes what it needs of `posed`. 0, and the asker waits; or
 * -EBADMSG with `fault`.
 */
int solves_ask(struct solves *solves, struct posed *posed, struct asker *asker,
               struct fault *fault);

/* Joins the solve of the puzzle with this whole id, in lower-case hex digits. False where there is none. */
bool solves_join(struct solves *solves, const char *digits, struct asker *asker);

/* The asker waits no longer. */
void solves_leave(struct solves *solves, struct asker *asker);

/* Frees what a posed puzzle still holds. */
void posed_drop(struct posed *posed, struct memory *memory);

/* Which puzzle this asker waits for, and how far its solve has come. */
const struct id *asker_id(const struct asker *asker);
struct progress asker_progress(const struct asker *asker);

/* Is this puzzle being solved, or does it wait for that? */
bool solves_has(const struct solves *solves, const struct id *id);

/* Calls `look` with each solve that is not finished, those that run first. */
void solves_each(const struct solves *solves,
                 void (*look)(void *context, const struct id *id, const struct arena *arena,
                              const struct progress *progress),
                 void *context);

/* Stops solves that have run for longer than the limit says. To be called a few times within that. */
void solves_stop_overdue(struct solves *solves);

/* Answers some askers, and starts what fits. To be called whenever the loop was woken. */
void solves_continue(struct solves *solves);

#endif
