/* One solve: what a thread of the pool does for it, and what came of that. For solves.c, which says when. */
#ifndef CATMOUSE_DAEMON_SOLVES_SOLVE_JOB_H
#define CATMOUSE_DAEMON_SOLVES_SOLVE_JOB_H

#include "daemon/base/workers.h"
#include "daemon/cache/cache.h"
#include "daemon/limits.h"
#include "daemon/store/store.h"
#include "proto/errors.h"
#include "proto/result.h"

struct solves;

enum solve_stage {
  SOLVE_WAITING,  /* for memory and a thread */
  SOLVE_RUNNING,  /* in the pool */
  SOLVE_KEEPING,  /* its puzzle is being written to disk */
  SOLVE_FINISHED, /* its askers are being answered */
};

struct solve_job {
  struct job job;
  struct id_node node; /* in the map until it is finished or dropped */
  struct link link;    /* in the list of its stage */
  struct solves *solves;
  enum solve_stage stage;
  struct arena *arena;    /* owned, until it is in the cache */
  uint64_t arena_bytes;   /* charged for it */
  struct link askers;     /* struct asker */
  bool on_disk;           /* the puzzle came from the store */
  bool dropped;           /* nobody wants it any longer */
  bool overdue;           /* stopped because it took too long */
  uint64_t asked_ms;      /* when it was, by solve_clock_us() */
  uint64_t need_bytes;    /* to be charged at least before it runs */
  uint64_t charged_bytes; /* for the run, and then for the table */
  unsigned threads;
  atomic_uint_fast64_t began_us; /* 0 until a thread has it */
  atomic_uint_fast64_t decided;
  atomic_uint_fast32_t layers;
  struct table *table; /* owned, once solved */
  int result;          /* of solve(), or -EBUSY where it had to give way */
  uint64_t solve_us;
  uint64_t ended_us;
  uint8_t *packed; /* owned: the puzzle as the store keeps it, or NULL */
  size_t packed_bytes;
  struct store_request keep;
  struct solved *solved; /* finished: what came of it, referenced; or NULL... */
  struct fault fault;    /* ...and why */
};

/* A monotonic clock. */
uint64_t solve_clock_us(void);

/* Takes `arena` on success. NULL when out of memory. */
struct solve_job *solve_job_new(struct arena *arena, const struct id *id);

/* Makes it ready for the pool, to solve on so many threads and pack the puzzle for the store where it is `kept`. */
void solve_job_prepare(struct solve_job *solve, unsigned threads, bool kept);

/* Stops it if a thread has had it for longer than `limit_ms`; 0: it may take for ever. */
void solve_job_stop_overdue(struct solve_job *solve, uint64_t limit_ms);

/* Says why there is no table. -EBADMSG. */
int solve_job_fault(const struct solve_job *solve, const struct daemon_limits *limits,
                    struct fault *fault);

struct progress solve_job_progress(const struct solve_job *solve);

#endif
