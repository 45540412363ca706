/*
 * What lasts: every puzzle that was solved, and its table where reading that back is faster than solving
 * it again. All file work is done on threads of its own, but for one record a solved puzzle, which the
 * solving thread writes before anyone is answered.
 *
 * Where files cannot be written or read the store says so once, keeps nothing, and tries again later. All
 * functions belong to the loop's thread but where it says otherwise. A NULL store keeps nothing.
 */
#ifndef CATMOUSE_DAEMON_STORE_STORE_H
#define CATMOUSE_DAEMON_STORE_STORE_H

#include "daemon/cache.h"
#include "daemon/limits.h"
#include "daemon/log.h"
#include "daemon/store/index.h"
#include "daemon/workers.h"
#include "proto/result.h"

struct store;

struct store_options {
  const char *folder;                 /* NULL for the usual place */
  const struct daemon_limits *limits; /* borrowed */
  const struct log *log;              /* borrowed */
  struct cache *cache;                /* borrowed */
  void (*wake)(void *context);        /* store_collect() has something to do; from any thread */
  void (*released)(void *context);    /* a table is no longer held, or a write has ended */
  void *context;                      /* of both */
};

/* Embedded in whoever waits for the store. */
struct store_waiter {
  void (*done)(struct store_waiter *waiter); /* called once, unless store_leave() comes first */
  struct link link;                          /* alone but while it waits */
  struct arena *arena; /* out, of store_read_puzzle(): the waiter's own, or NULL */
  struct id id;        /* of that arena */
  int result; /* out, of store_forget() and store_clear(): 0, or why some of it is still on disk */
};

/* Starts its threads and looks at the folder on one of them. 0 or a negative errno. */
int store_new(const struct store_options *options, struct store **store);

/* Stops its threads; what was not written yet is not. Waiters are called. */
void store_free(struct store *store);

/* Calls back for what its threads have done. */
void store_collect(struct store *store);

/* To be called every STORE_TICK_MS: writes what was put off, sweeps, and tries again what failed. */
enum { STORE_TICK_MS = 1000 };
void store_tick(struct store *store, uint64_t now_ms);

/* Is nothing being written? */
bool store_is_idle(const struct store *store);

/* Has the folder been looked at, or could it not be? Before, what it holds is not known. */
bool store_is_loaded(const struct store *store);

/* Waits until the folder has been looked at, again where it was before: others may have added to it. */
void store_wait(struct store *store, struct store_waiter *waiter);
void store_leave(struct store_waiter *waiter);

/* As for the cache: borrowed, NULL where there is none. */
struct stored *store_find(struct store *store, const struct id *id);
uint32_t store_find_prefix(struct store *store, const char *digits, struct stored **stored);

/* What is on disk, the most recently used first; NULL where there is nothing (more). */
struct stored *store_first(struct store *store);
struct stored *store_next(struct store *store, struct stored *stored);

/*
 * Keeps a puzzle, and makes it the current one. Any thread. 0 with `place`, or a negative errno, which the
 * store has taken note of.
 */
int store_write_puzzle(struct store *store, const struct arena *arena, const struct id *id,
                       struct place *place);

/* Is a puzzle still where it was, and not forgotten by another daemon? It counts as used now. Any thread. */
bool store_still_has(struct store *store, const struct id *id, const struct place *place);

/* A solved puzzle is in memory. `place`: where store_write_puzzle() has put it, or NULL. Keeps its table too where that pays. */
void store_add(struct store *store, struct solved *solved, const struct place *place);

/* It was asked for. */
void store_touch(struct store *store, const struct id *id);

/* The puzzle that is meant where none is named. */
bool store_current(struct store *store, struct id *id);
void store_set_current(struct store *store, const struct id *id);

/* A table may be on disk: where the index says so, or cannot say yet. */
bool store_may_have_table(struct store *store, const struct id *id);

/* The threads that read for others, so that their jobs need not queue behind writes. */
struct workers *store_readers(struct store *store);

/*
 * Reads a table back. A file that is damaged is set aside. On a thread of store_readers(). 0, or a negative
 * errno: -EFBIG where `max_bytes` don't do, -ECANCELED.
 */
int store_read_table(struct store *store, const struct id *id, uint32_t nodes, uint64_t max_bytes,
                     const atomic_bool *stop, struct table **table, uint64_t *solve_us);

/* What came of it: 0 or the negative errno. */
void store_table_was_read(struct store *store, const struct id *id, int result);

/*
 * Makes the arena of a puzzle on disk. Where it is no longer where it was, there is none, and store_find()
 * tells once `waiter` is called whether it lies elsewhere. 0 or -ENOMEM.
 */
int store_read_puzzle(struct store *store, const struct stored *stored,
                      struct store_waiter *waiter);

/*
 * Forget one puzzle, or all, on disk; `waiter` is called when that is done, or when what could not be removed is in
 * the index again. 0 with the bytes they took, -ENOENT where there is nothing to do, or -ENOMEM.
 */
int store_forget(struct store *store, const struct id *id, struct store_waiter *waiter,
                 uint64_t *bytes);
int store_clear(struct store *store, struct store_waiter *waiter);

/* How many puzzles are on disk, and the bytes of everything there. */
uint32_t store_count(const struct store *store);
uint64_t store_bytes(const struct store *store);

void store_status(struct store *store, struct store_status *status);

#endif
