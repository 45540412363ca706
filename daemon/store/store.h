/*
 * Keeps puzzles on disk, by id, in an SQLite database that docs/STORE.md describes.
 *
 * The happy path: store_keep() notes a solved puzzle, and the next store_tend() hands all that were noted
 * to a thread that writes them in one transaction. Then `wake` is called, and store_collect() calls back
 * each request of that transaction. Another thread reads. What is promised where the disk fails, hangs or
 * is damaged is in docs/STORE.md, too.
 *
 * All functions belong to the loop's thread. None but store_close() touches the disk or waits. A NULL
 * store keeps nothing: what is asked of it is -ENOENT.
 */
#ifndef CATMOUSE_DAEMON_STORE_STORE_H
#define CATMOUSE_DAEMON_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/base/log.h"
#include "solver/arena.h"
#include "solver/id.h"

struct store;
struct store_job;

struct store_options {
  const char *folder;    /* NULL for $XDG_CACHE_HOME/catmouse, else ~/.cache/catmouse */
  uint64_t bytes_max;    /* kept on disk; what was used longest ago goes first */
  uint64_t puzzles_max;  /* the same */
  uint64_t age_max_days; /* what was not used for so long goes; 0 for never */
  uint64_t wait_ms;      /* that store_keep() waits for a transaction; 0 for ever */
  uint64_t retry_ms;     /* after a failure; 20 at least */
  const struct log *log;
  void (*wake)(void *context); /* store_collect() has something to do; from any thread */
  void *context;
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
 * is called once from store_collect(), store_tend() or store_close(), unless store_cancel() comes
 * first; or a negative errno, -ENOMEM if nothing else is said, and then done() is not called.
 */
struct store_request {
  void (*done)(struct store_request *request);
  struct store_job *job; /* the store's own; NULL unless it waits */
  int result;            /* 0, -ETIMEDOUT when the disk hangs, or another negative errno */

  /* What came of it; zero where `result` is not. */
  uint64_t count;      /* find: ids that begin so, 2 for more; list: rows; forget, clear: puzzles */
  uint64_t total;      /* list: puzzles on disk */
  uint64_t bytes;      /* forget, clear: that these took on disk, about */
  struct id id;        /* find: of the one that was found */
  struct arena *arena; /* find: its arena, the caller's own; NULL unless `count` is 1 */
  struct store_row *rows; /* list: `count` of them, the caller's own, to be freed with free() */
};

/* 0, -ENOENT or -ENAMETOOLONG (there is no such folder), -ENOMEM or -EAGAIN (no thread). */
int store_open(const struct store_options *options, struct store **store);

/*
 * Ends all requests with -ECANCELED and the threads: those that hang for a second are left to the end of
 * the process, with their memory. What was not written is lost, unless store_drain() came before and
 * store_is_idle().
 */
void store_close(struct store *store);

/* Calls back the requests that are done. */
void store_collect(struct store *store);

/* The request ends without done(). What it asked for may happen nevertheless. */
void store_cancel(struct store_request *request);

/*
 * Has the threads begin what waits. Ends store_keep()s with -EAGAIN once a transaction takes longer than
 * `wait_ms`, and others with -ETIMEDOUT after STORE_ANSWER_WAIT_MS. To be called after the other functions,
 * and at the time that it returned, UINT64_MAX for never; in ms of CLOCK_MONOTONIC, as uv_now() gives it.
 */
enum { STORE_ANSWER_WAIT_MS = 5000 };
uint64_t store_tend(struct store *store, uint64_t now_ms);

/*
 * Keeps a puzzle. `packed` are the `length` bytes of arena_pack(), from malloc(): the store takes them,
 * whatever it returns. done() is called once the puzzle is on disk, where it survives a SIGKILL. -EAGAIN,
 * at once or by done(): the disk fails or is slow, and the puzzle waits in memory to be written. -ENOSPC
 * where it is larger than all that may be kept, or where the disk fails and so much waits already.
 */
enum { STORE_UNKEPT_MAX = 65536, STORE_UNKEPT_BYTES_MAX = 64 << 20 };
int store_keep(struct store *store, struct store_request *request, uint8_t *packed, size_t length,
               const struct id *id, uint32_t nodes, enum game game);

/*
 * Finds the puzzles whose id begins with `digits`, ID_PREFIX_MIN to ID_TEXT lower-case hexadecimal
 * digits (checked by an assert), on disk or waiting to be written. The arena is made from what was
 * kept, and its id is compared. It counts as used.
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

/* A puzzle was asked for. Once in STORE_TOUCH_S is enough: on disk the time is exact to an hour. */
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
  uint64_t damaged;   /* databases and puzzles that this daemon has found damaged */
};

void store_status(const struct store *store, struct store_numbers *numbers);

/* Writes what waits, without a delay after a failure, and empties the log. */
void store_drain(struct store *store);

/* Once drained: is nothing left to be written? True, too, where the disk fails while it drains. */
bool store_is_idle(const struct store *store);

#endif
