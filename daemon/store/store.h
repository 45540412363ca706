/*
 * Keeps puzzles on disk, by id, in one SQLite database: `puzzles.db` in a folder of this user.
 * docs/STORE.md says what is in it.
 *
 * The happy path: store_open() starts two threads, a writer and a reader. store_keep() hands a solved
 * puzzle to the writer, which writes all that wait in one transaction; then `wake` is called, and
 * store_collect() calls back each request of that transaction. store_find() hands an id to the reader.
 *
 * When the disk fails (full, read-only, gone) or hangs, requests that keep a puzzle end with -EAGAIN:
 * the puzzle stays in memory and is written when the disk works again. The log says so once. A damaged
 * database is set aside, and the rows that can still be read are carried over to a new one.
 *
 * All functions belong to the loop's thread. None touches the disk or waits for a lock that is held
 * while another thread does, but store_close(). A NULL store keeps nothing: requests of it end at once
 * with -ENOENT.
 */
#ifndef CATMOUSE_DAEMON_STORE_STORE_H
#define CATMOUSE_DAEMON_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/arena.h"
#include "solver/id.h"

struct store;
struct store_job;

enum store_severity {
  STORE_LOG_WARNING,
  STORE_LOG_INFO,
};

struct store_options {
  const char *folder;    /* NULL for $XDG_CACHE_HOME/catmouse, else ~/.cache/catmouse */
  uint64_t bytes_max;    /* kept on disk; what was used longest ago goes first */
  uint64_t puzzles_max;  /* the same */
  uint64_t age_max_days; /* what was not used for so long goes; 0 for never */
  uint64_t
      retry_ms; /* after a failure, doubled with each one that follows, up to 64 times as long */
  void (*log)(void *context, enum store_severity severity,
              const char *text); /* on the loop's thread */
  void (*wake)(
      void *context); /* store_collect() has something to do; from any thread, must not block */
  void *context;      /* of both */
};

/* One row of store_list(). */
struct store_row {
  struct id id;
  enum game game;
  uint32_t nodes;
  uint64_t bytes;  /* on disk, about */
  uint64_t used_s; /* when it was last used, in seconds since 1970 */
};

/*
 * What somebody asks of the store, embedded in whoever asks. Zeroed before its first use, with `done`
 * set; it may be used again once it has ended. Each function that takes one returns 0, and then done()
 * is called once from store_collect(), store_expire() or store_close(), unless store_cancel() comes
 * first; or a negative errno, and then done() is not called.
 */
struct store_request {
  void (*done)(struct store_request *request);
  struct store_job *job; /* the store's own; NULL unless it waits */
  int result;            /* 0, -ETIMEDOUT when the disk hangs, or another negative errno */

  /* What came of it, where `result` is 0. */
  uint64_t
      count; /* find: ids that begin so, 2 for more than one; list: rows; forget, clear: puzzles */
  uint64_t bytes;         /* forget, clear: that these took on disk, about */
  struct id id;           /* find: of the one that was found */
  struct arena *arena;    /* find: its arena, the caller's own; NULL unless `count` is 1 */
  struct store_row *rows; /* list: `count` of them, the caller's own, to be freed with free() */
};

/*
 * Finds the path of the folder, and starts the threads. 0, -ENOMEM or -EAGAIN (no thread could be
 * started).
 */
int store_open(const struct store_options *options, struct store **store);

/*
 * Ends all requests with -ECANCELED and stops the threads; waits for them at most a second if the disk
 * hangs. What was not written yet is lost, so call store_drain() and wait for store_is_idle() before.
 */
void store_close(struct store *store);

/* Calls back the requests that are done, and logs. */
void store_collect(struct store *store);

/*
 * The request ends without done(). What it asked for may happen nevertheless. No harm if it does not
 * wait.
 */
void store_cancel(struct store_request *request);

/*
 * To be called every STORE_TICK_MS while store_is_waiting(), with CLOCK_MONOTONIC in ms, as uv_now()
 * gives it. Ends store_keep()s with -EAGAIN once the writer has finished nothing for
 * STORE_KEEP_WAIT_MS, and other requests with -ETIMEDOUT after STORE_ANSWER_WAIT_MS without progress.
 */
enum { STORE_TICK_MS = 20, STORE_KEEP_WAIT_MS = 80, STORE_ANSWER_WAIT_MS = 5000 };
void store_expire(struct store *store, uint64_t now_ms);
bool store_is_waiting(const struct store *store);

/*
 * Keeps a puzzle. `packed` are the `length` bytes of arena_pack(), from malloc(): the store takes them,
 * whatever it returns. done() is called once the puzzle is on disk, where it survives a SIGKILL, or
 * with -EAGAIN where that takes too long. -EAGAIN at once where the disk is known to fail. Either way
 * it is written later. -ENOSPC where too much waits already or -E2BIG where it is larger than all that
 * may be kept: it is given up. -ENOMEM.
 */
int store_keep(struct store *store, struct store_request *request, uint8_t *packed, size_t length,
               const struct id *id, uint32_t nodes, enum game game);

/*
 * Finds the puzzles whose id begins with `digits`, ID_PREFIX_MIN to ID_TEXT lower-case hexadecimal
 * digits (checked by an assert), on disk or waiting to be written. The arena is made from what was
 * kept, and its id is compared. It counts as used. -ENOENT (NULL store) or -ENOMEM.
 */
int store_find(struct store *store, struct store_request *request, const char *digits);

/* Lists puzzles on disk, the most recently used first, at most `rows_max`. */
int store_list(struct store *store, struct store_request *request, uint32_t rows_max);

/*
 * Forgets one puzzle, or all, on disk and waiting to be written; a store_keep() that comes later is
 * kept. Where the disk fails, the errno that says why, at once if that is known; after that or
 * -ETIMEDOUT it may still be forgotten later.
 */
int store_forget(struct store *store, struct store_request *request, const struct id *id);
int store_clear(struct store *store, struct store_request *request);

/*
 * A puzzle was asked for. Takes an uncontended lock: whoever answers thousands of questions about one
 * puzzle calls this at most once in STORE_TOUCH_S for it (keep the time of the last call with the
 * cached table). On disk the time of use is exact to an hour.
 */
enum { STORE_TOUCH_S = 60 };
void store_touch(struct store *store, const struct id *id);

enum store_condition {
  STORE_CONDITION_OFF,     /* a NULL store */
  STORE_CONDITION_OPENING, /* its numbers are not known yet */
  STORE_CONDITION_ON,
  STORE_CONDITION_FAILING,
};

struct store_numbers {
  enum store_condition condition;
  const char *folder; /* the store's; "" where off */
  const char *error;  /* why it fails, a static text; else "" */
  uint64_t puzzles;   /* on disk, as last seen */
  uint64_t bytes;     /* that these take there, about */
  uint64_t unkept;    /* puzzles that wait to be written */
  uint64_t damaged; /* databases set aside and puzzles dropped because of damage, by this daemon */
};

/* Cached numbers. */
void store_status(struct store *store, struct store_numbers *numbers);

/* Writes what waits, without the usual delays, and checkpoints. */
void store_drain(struct store *store);

/*
 * Is nothing left to be written? Once drained it becomes true, and `wake` is called then. True, too,
 * where the disk fails while it drains.
 */
bool store_is_idle(struct store *store);

#endif
