/* One solve: what a thread of a pool does for it, and what came of that. For the files of solves.h, which say when. */
#ifndef CATMOUSE_DAEMON_SOLVE_JOB_H
#define CATMOUSE_DAEMON_SOLVE_JOB_H

#include "daemon/budget.h"
#include "daemon/id_map.h"
#include "daemon/store/store.h"
#include "daemon/workers.h"
#include "proto/result.h"

struct solves;

struct solve_job {
  struct job job;
  struct id_node node; /* in the map while it can be joined */
  struct link link;    /* in `waiting` until it starts, then in `in_pool`, last in `finished` */
  struct solves *solves;
  struct store *store; /* borrowed, or NULL */
  struct arena *arena; /* owned */
  struct link askers;
  bool kept;         /* goes on without askers */
  bool dropped;      /* nobody wants it any longer */
  bool started;      /* handed to a pool */
  bool overdue;      /* stopped because it took too long */
  bool on_disk;      /* its table is to be read, not solved */
  bool known;        /* the store has the puzzle, at `place` */
  bool make_current; /* some asker gave the puzzle itself */
  bool is_kept;      /* the puzzle was written, at `place` now */
  struct place place;
  uint64_t need_bytes; /* at least to be reserved */
  uint64_t reserved_bytes;
  unsigned threads;
  atomic_uint_fast64_t began_us; /* 0 until a thread has it */
  atomic_uint_fast64_t decided;
  atomic_uint_fast32_t layers;
  struct table *table;   /* owned, once solved */
  int result;            /* of solve(), or of reading the table */
  struct solved *solved; /* finished: what came of it, referenced; or NULL... */
  struct fault fault;    /* ...and why */
  uint64_t solve_us;
  uint64_t ended_us; /* in the clock of began_us: a monotonic one */
};

/* Takes `arena` on success. NULL when out of memory. */
struct solve_job *solve_job_new(struct arena *arena, const struct id *id, struct store *store);
void solve_job_free(struct solve_job *solve);

/* What it holds. */
uint64_t solve_job_bytes(const struct solve_job *solve);

/* Makes it ready for a pool: to solve on so many threads, or to read the table where that is on disk. */
void solve_job_prepare(struct solve_job *solve, unsigned threads);

/* Stops it if a thread has had it for longer than `limit_ms`; 0: it may take for ever. Its owner's thread. */
void solve_job_stop_overdue(struct solve_job *solve, uint64_t limit_ms);

/* Says why there is no table. -EBADMSG. */
int solve_job_fault(const struct solve_job *solve, const struct daemon_limits *limits,
                    struct fault *fault);

struct progress solve_job_progress(const struct solve_job *solve);

#endif
