/*
 * A daemon's side of a store without the daemon: the test's own thread plays the loop's. A test that
 * fails prints the log of the store.
 */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_SIDE_H
#define CATMOUSE_TESTS_DAEMON_STORE_SIDE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <semaphore.h>
#include <sqlite3.h>

#include "daemon/store/store.h"

struct side {
  char path[64];   /* of a temporary folder */
  char folder[96]; /* of the store, in it; not made before the store is opened */
  struct store_options options;
  struct store *store; /* NULL where it is closed */
  sem_t woken;
  struct log logs;
  pthread_mutex_t mutex; /* of `log` */
  char log[1 << 16];     /* its lines */
};

struct asked {
  struct store_request request;
  bool done;
};

/* A test with an open store of its own, which keeps a gigabyte, a million puzzles, 90 days. */
#define STORE_TEST(test) cmocka_unit_test_setup_teardown(test, side_set_up, side_tear_down)
int side_set_up(void **state);
/* Closes the store, checks that its database is whole, and removes the folder. */
int side_tear_down(void **state);

/* Another daemon's side, of the same folder. To be closed. */
void side_init_beside(struct side *side, const struct side *first);

void side_open(struct side *side);
/* Drains the store first, as a daemon does that leaves. */
void side_close(struct side *side);
void side_reopen(struct side *side);

/* Tends the store as at a time to come. Returns how soon it is to be tended again, or UINT64_MAX for never. */
uint64_t side_tend(struct side *side, uint64_t ahead_ms);

/* What the loop does once. Fails the test where nothing happens for minutes. */
void side_pump(struct side *side);
#define SIDE_PUMP_UNTIL(side, condition) \
  while (!(condition))                   \
  side_pump(side)

/* Waits until the store has nothing to do: what has arrived is moved, what is too much is removed. */
void side_settle(struct side *side);

/* Prepares a request, to be waited for with side_wait(), which returns its result. */
struct store_request *side_ask(struct asked *asked);
int side_wait(struct side *side, struct asked *asked);

/* The puzzle of a seed below 2^32, the caller's: a grid of its own, but that of 4 is a graph. `id` may be NULL. */
struct arena *puzzle_of(uint64_t seed, struct id *id);
struct id id_of(uint64_t seed);

/* What store_keep() returns for that puzzle. */
int side_begin_keep(struct side *side, uint64_t seed, struct asked *asked);
/* Keeps puzzles and waits until they are on disk and the store has settled. */
void side_keep(struct side *side, uint64_t first, uint64_t count);

/* Finds that puzzle by so many digits of its id. Returns the result; what is found is right. */
int side_find(struct side *side, uint64_t seed, size_t digits, uint64_t *count);
/* How many of these puzzles are there; no look for them fails. */
uint64_t side_has(struct side *side, uint64_t first, uint64_t count);

/* Forgets that puzzle: how many went, or a negative errno. */
int side_forget(struct side *side, uint64_t seed);

struct store_numbers side_numbers(const struct side *side);
/* How often the log has these words. */
unsigned side_says(const struct side *side, const char *words);

/* Runs SQL on its database, and returns the first number that it gives. */
int64_t side_sql(const struct side *side, const char *sql);

/* Runs a shell command in its folder, $F. */
void side_shell(const struct side *side, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The size of a file in its folder, or -1 where there is none. */
int64_t side_size(const struct side *side, const char *name);

#endif
