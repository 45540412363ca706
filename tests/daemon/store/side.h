/* A daemon's side of a store without the daemon: the test's own thread plays the loop's. */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_SIDE_H
#define CATMOUSE_TESTS_DAEMON_STORE_SIDE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <semaphore.h>
#include <sqlite3.h>

#include "daemon/store/store.h"

struct side {
  char path[64];   /* of a temporary folder */
  char folder[96]; /* of the store, in it; not made before the store is opened */
  struct store_options options;
  struct store *store;
  sem_t woken;
  char log[1 << 16]; /* its lines */
};

struct asked {
  struct store_request request;
  bool done;
};

/* Makes the temporary folder, and opens a store in it that keeps a gigabyte, a million puzzles, 90 days. */
void side_init(struct side *side);
/* Closes the store, checks that its database is whole, and removes the folder. */
void side_deinit(struct side *side);

/* Another daemon's side, of the same folder. To be closed, not ended. */
void side_init_beside(struct side *side, const struct side *first);

void side_open(struct side *side);
/* Drains the store first. */
void side_close(struct side *side);
/* Closes it without draining. */
void side_leave(struct side *side);
void side_reopen(struct side *side);

/* Waits for a call of `wake`, and collects. Fails the test after a minute. */
void side_pump(struct side *side);
/* Does that until it has ended. Returns its result. */
int side_wait(struct side *side, struct asked *asked);
/* Does that until the store has that many puzzles on disk, or that condition. */
void side_wait_for_count(struct side *side, uint64_t puzzles);
void side_wait_for_condition(struct side *side, enum store_condition condition);

/* The puzzle of a seed below 2^32: a graph or a grid of its own, the caller's. */
struct arena *puzzle_of(uint64_t seed, struct id *id);

/* Begins to keep that puzzle; what store_keep() returned. */
int side_begin_keep(struct side *side, uint64_t seed, struct asked *asked);
/* Keeps it and waits until it is on disk. */
void side_keep(struct side *side, uint64_t seed);
void side_keep_all(struct side *side, uint64_t first, uint64_t count);

/* Begins to find that puzzle. */
void side_begin_find(struct side *side, uint64_t seed, struct asked *asked);
/* Finds it, or forgets it, where that works; returns the result. What is found is right. */
int side_try_find(struct side *side, uint64_t seed);
int side_try_forget(struct side *side, uint64_t seed);

/*
 * How many puzzles begin with the first `length` digits of that one's id; where it is one, it is that
 * one.
 */
unsigned side_count(struct side *side, uint64_t seed, size_t length);
/* Whether that puzzle is there; if so, it is right. */
bool side_has(struct side *side, uint64_t seed);
/* How many of these are there, all of them right. */
uint64_t side_has_of(struct side *side, uint64_t first, uint64_t count);

/* Forgets that puzzle, and returns how many went. */
uint64_t side_forget(struct side *side, uint64_t seed);

void side_clear(struct side *side);

struct store_numbers side_numbers(struct side *side);

/* Runs SQL on its database, and returns the first number that it gives. */
int64_t side_sql(const struct side *side, const char *sql);

/* The path of a file in its folder, valid until the next call. */
const char *side_file(const struct side *side, const char *name);
bool side_file_exists(const struct side *side, const char *name);

#endif
