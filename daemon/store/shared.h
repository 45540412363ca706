/*
 * What the loop's thread shares with the writer and the reader: jobs that wait and jobs that are done,
 * lines for the log, and numbers. One mutex guards it, and nobody holds that while touching the disk.
 */
#ifndef CATMOUSE_DAEMON_STORE_SHARED_H
#define CATMOUSE_DAEMON_STORE_SHARED_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "daemon/base/list.h"
#include "daemon/store/store.h"

enum {
  UNKEPT_MAX = 65536,
  UNKEPT_BYTES_MAX = 64 << 20,
  TOUCHED_MAX = 4096,
  BUCKETS = 4096, /* for the first 12 bits of an id; the shortest prefix has 24 */
};

enum store_thread {
  STORE_WRITER,
  STORE_READER,
  STORE_THREADS,
};

enum job_kind {
  JOB_KEEP,
  JOB_FORGET,
  JOB_CLEAR,
  JOB_FIND,
  JOB_LIST,
};

/* A packed puzzle in memory, for the job that keeps it and for a reader that makes its arena. */
struct unkept {
  atomic_uint references;
  uint32_t nodes;
  enum game game;
  struct id id;
  size_t length;
  uint8_t *bytes;   /* owned */
  struct link link; /* of the thread that lets go of it */
};

struct store_job {
  enum job_kind kind;
  struct link link;      /* in the list of its thread, or in `done` */
  struct link bucket;    /* keep: until it is written */
  struct unkept *unkept; /* keep: the same; referenced */
  struct id low, high;   /* find: the range; forget: `low` */
  uint32_t rows_max;     /* list */

  int result; /* and what came of it, as in struct store_request */
  uint64_t count, bytes;
  struct id id;
  struct arena *arena;
  struct store_row *rows;

  /* Of the loop's thread. */
  struct store_request *request; /* NULL where nobody waits */
  struct link waiting;           /* in the order of asking */
  uint64_t since_ms;
};

struct message {
  struct link link;
  enum store_severity severity;
  char text[PATH_MAX + 256];
};

struct shared {
  struct store_options options; /* these three are set before the threads start */
  char folder[PATH_MAX];
  int folder_result; /* 0, or why there is none */

  pthread_mutex_t mutex;
  pthread_cond_t changed[STORE_THREADS]; /* there is something for that thread; CLOCK_MONOTONIC */
  pthread_cond_t ended;                  /* a thread has ended; the same */
  unsigned running;                      /* threads */

  struct link todo[STORE_THREADS];
  struct link done;
  struct link messages;
  struct link buckets[BUCKETS];
  unsigned unkept; /* in the buckets */
  uint64_t unkept_bytes;
  struct id touched[TOUCHED_MAX];
  unsigned touched_count;

  uint64_t finished[STORE_THREADS]; /* counts what a thread has got done */
  unsigned opens;                   /* counts how often the writer has opened the database */
  bool tried;                       /* the writer has opened it, or failed to */
  bool damage_seen;                 /* by the reader; the writer resets it */
  bool unsaved;                     /* the writer has not tried yet, works, or has to checkpoint */
  bool draining, gave_up;           /* the writer failed while it drained */
  bool closing, closed;             /* threads shall end; `wake` must not be called any more */
  int failing; /* the negative errno that keeps the writer from writing, or 0 */
  uint64_t puzzles, bytes, damaged;
};

/* 0 or -ENOMEM. Whoever calls shared_deinit() has ended the requests of all jobs, which it frees. */
int shared_init(struct shared *shared, const struct store_options *options);
void shared_deinit(struct shared *shared);

uint64_t shared_now_ms(void);

/* Waits until that time at most. With the mutex. */
bool shared_wait(struct shared *shared, pthread_cond_t *condition, uint64_t until_ms);

/*
 * Hands jobs that are done to the loop's thread. The puzzles that they kept leave memory. Takes the
 * mutex, as the next two.
 */
void shared_finish(struct shared *shared, enum store_thread thread, struct link *jobs);

/* A line for the log, printf style. Without memory it is lost. */
void shared_say(struct shared *shared, enum store_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A puzzle was used. One too many is lost. */
void shared_touch(struct shared *shared, const struct id *id);

/* Puzzles in memory whose ids begin as this one. With the mutex. */
struct link *shared_bucket(struct shared *shared, const struct id *id);

void unkept_unref(struct unkept *unkept);

/* NULL without memory. */
struct store_job *store_job_new(enum job_kind kind);
void store_job_free(struct store_job *job);

/* Why it fails, in words. */
const char *shared_reason(int result);

/* The threads, each given the struct shared, until `closing` is set. */
void *writer_run(void *shared);
void *reader_run(void *shared);

#endif
