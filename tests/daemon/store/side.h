/* A daemon's side of a store, without the daemon: its cache, its limits, and its loop. */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_SIDE_H
#define CATMOUSE_TESTS_DAEMON_STORE_SIDE_H

#include <semaphore.h>

#include "daemon/store/inside.h"
#include "daemon/store/store.h"
#include "tests/daemon/store/store_test.h"

struct side {
  struct cache cache;
  struct daemon_limits limits;
  struct log log;
  struct store *store;
  sem_t woken;
  uint64_t now_ms;
  long failing_nth; /* allocation of side_keep() that fails; -1 for none */
};

struct reading {
  struct store_waiter waiter;
  bool done;
};

/* The callbacks that a store is given. */
void side_wake(void *context);
void side_released(void *context);
void reading_done(struct store_waiter *waiter);

/* Starts with a store there that keeps every table; the folder may hold something already. */
void side_init(struct side *side, const struct test_folder *folder);
void side_deinit(struct side *side);
void side_start(struct side *side, const struct test_folder *folder);
void side_stop(struct side *side);
void side_restart(struct side *side, const struct test_folder *folder);

/* A folder and one store in it, which has kept puzzle 1; and the end of both, whatever it has kept. */
void start_one(struct test_folder *folder, struct side *side, struct id *id);
void stop_one(struct test_folder *folder, struct side *side);

/* Waits until the store has done something; until it has nothing to do. */
void side_pump(struct side *side);
void side_settle(struct side *side);

/* Lets so much time pass. */
void side_tick(struct side *side, uint64_t ms);

/* As a solve does it: the record on whatever thread, then the rest on the loop's. */
void side_keep(struct side *side, uint64_t seed, struct id *id);

/* Its segment gets no more records. */
void side_fill_segment(struct side *side);

/* The store cleans that segment when it has time. */
void side_set_damaged(struct side *side, uint32_t segment);

/* Forgets one that is there, or all, and waits for that. */
void side_forget(struct side *side, const struct id *id);
void side_clear(struct side *side);

/* As store_status() says: how it is, and how many files were set aside. */
enum store_state side_state(struct side *side);
unsigned side_damaged(struct side *side);

/* The puzzle as read back, the caller's own; or NULL. */
struct arena *side_read_puzzle(struct side *side, const struct id *id);

/* The puzzle is on disk; puzzle and table are, and right. */
void side_assert_puzzle_kept(struct side *side, uint64_t seed);
void side_assert_kept(struct side *side, uint64_t seed);
void side_wait_for_scan(struct side *side);

#endif
