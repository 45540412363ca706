/*
 * What is done on disk, by two threads: the writer does one turn after the other, each for many jobs, and
 * the reader one job after the other. The loop's thread hands a turn or a job to a pool of one thread,
 * and leaves it alone until the pool hands it back.
 */
#ifndef CATMOUSE_DAEMON_STORE_DISK_H
#define CATMOUSE_DAEMON_STORE_DISK_H

#include "daemon/base/workers.h"
#include "daemon/store/database.h"
#include "daemon/store/store.h"

enum job_kind {
  JOB_KEEP,
  JOB_TOUCH,
  JOB_FORGET,
  JOB_CLEAR,
  JOB_FIND,
  JOB_LIST,
};

struct store_job {
  struct job job;            /* find, list: of the reader's pool */
  struct database *database; /* the reader's */
  enum job_kind kind;
  struct link link; /* the others: in `todo` or in the turn */

  struct id low, high; /* find: a range; keep, touch, forget: one id, `low` */
  uint8_t *packed;   /* owned. Keep: the puzzle; find: one in the range that waits to be written */
  size_t length;     /* of it */
  uint32_t nodes;    /* keep */
  enum game game;    /* keep */
  uint32_t rows_max; /* list */
  unsigned unkept;   /* find: how many in the range wait to be written; 2 for more than one */

  struct store_request reply; /* what came of it */

  /* Of the loop's thread. */
  struct store *store;
  struct store_request *request; /* NULL where nobody waits */
  struct link waiting;           /* where somebody does, in the order of asking */
  uint64_t since_ms;
};

struct turn {
  struct job job;            /* of the writer's pool */
  struct database *database; /* the writer's */
  const struct store_options *options;
  struct link jobs; /* for one transaction */
  uint64_t now_s;   /* since 1970 */
  bool tidies;      /* moves what has arrived, and removes what is too old or too much */
  bool empties;     /* moves the log into the database, too */

  int result;         /* 0, or a negative errno where nothing was done */
  uint64_t totals[2]; /* of one that tidies: puzzles on disk, and their bytes */
  bool removed;       /* something was too old or too much, and there may be more */
};

/* For the pools: what to run for a turn, and for a job. */
void disk_write(struct job *turn);
void disk_read(struct job *store_job);

#endif
