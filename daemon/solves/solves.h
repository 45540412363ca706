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

struct solve_job; /* private to solves.c */

enum solve_stage {
  SOLVE_WAITING,  /* for memory and a thread */
  SOLVE_RUNNING,  /* in the pool */
  SOLVE_KEEPING,  /* its puzzle is being written to disk */
  SOLVE_FINISHED, /* its askers are being answered */
  SOLVE_STAGES,
};

struct solves {
  struct memory *memory;              /* borrowed */
  struct workers *workers;            /* borrowed */
  struct store *store;                /* borrowed, or NULL */
  const struct daemon_limits *limits; /* borrowed */
  unsigned threads;                   /* of the pool */
  struct id_map map;                  /* solves that can be joined */
  struct link at[SOLVE_STAGES];       /* the solves at each stage, in the order they came there */
  unsigned count[SOLVE_STAGES];       /* of these */
  uint64_t solved;                    /* since the start */
  bool closing;                       /* nothing is started any more */
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

/* Starts no more solves: the pool and the store may go, and hand back the solves that they have. */
void solves_close(struct solves *solves);

/* To be called when the pool, the store and all askers are gone. */
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
void solves_leave(struct asker *asker);

/* Frees what a posed puzzle still holds. */
void posed_drop(struct posed *posed, struct memory *memory);

/* Which puzzle this asker waits for, by its id in hex, and how far its solve has come. */
const char *asker_id(const struct asker *asker);
struct progress asker_progress(const struct asker *asker);

/* Is this puzzle being solved, or does it wait for that? */
bool solves_has(const struct solves *solves, const struct id *id);

/* Fills in the solves that are not finished, at most `most`, those that run first. Returns how many. */
uint32_t solves_list(const struct solves *solves, struct listed_table *entries, uint32_t most);

/* Stops solves that have run for longer than --solve-time-max. To be called a few times within it. */
void solves_stop_overdue(struct solves *solves);

/* Once a round of the loop: answers a few askers and starts solves that fit. True where more askers wait. */
bool solves_continue(struct solves *solves);

#endif
