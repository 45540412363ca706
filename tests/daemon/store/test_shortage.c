/* Too little disk, too few descriptors or too little memory: what is kept stays, and keeping goes on after. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "tests/daemon/store/side.h"
#include "tests/support/failing_alloc.h"

static void test_full_disk_is_tried_again(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct rlimit kept;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  side_keep(&side, 1, &id);
  side_settle(&side);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
  const struct rlimit full = {0, kept.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  side_keep(&side, 2, &id);
  side_settle(&side);
  assert_int_equal(side_state(&side), STORE_FAILING);
  assert_null(store_find(side.store, &id));
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(side_state(&side), STORE_FAILING);
  side_assert_kept(&side, 1);
  setrlimit(RLIMIT_FSIZE, &kept);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(side_state(&side), STORE_ON);
  side_keep(&side, 3, &id);
  side_restart(&side, &folder);
  side_assert_kept(&side, 1);
  side_assert_kept(&side, 2);
  side_assert_kept(&side, 3);
  stop_one(&folder, &side);
}

/* A time that no number holds any longer never comes. */
static void test_full_disk_is_never_tried_again(void **state)
{
  (void)state;
  static const uint64_t retry_ms[] = {UINT64_MAX, UINT64_MAX / 2 + 1};
  for (size_t i = 0; i < sizeof retry_ms / sizeof retry_ms[0]; i++) {
    struct test_folder folder;
    struct side side;
    test_folder_init(&folder);
    side_init(&side, &folder);
    side_settle(&side);
    side.limits.store_retry_ms = retry_ms[i];
    side.store->retries = (unsigned)i;
    store_note(side.store, -ENOSPC);
    for (int tick = 0; tick < 3; tick++)
      side_tick(&side, 1000);
    assert_int_equal(side_state(&side), STORE_FAILING);
    side_deinit(&side);
    test_folder_deinit(&folder);
  }
}

/* Returns how many they could be before. */
static rlim_t limit_descriptors(rlim_t most)
{
  struct rlimit limit;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = most;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
  return before;
}

/* No descriptor is left: that is no fault of the disk's, and what was solved meanwhile is kept later. */
static void test_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id, current;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  rlim_t kept = limit_descriptors(0);
  side_keep(&side, 2, &id);
  side_tick(&side, 1000);
  limit_descriptors(kept);
  assert_int_equal(side_state(&side), STORE_ON);
  assert_null(store_find(side.store, &id));
  side_keep(&side, 3, &id);
  side_tick(&side, 1000);
  side_restart(&side, &folder);
  side_assert_kept(&side, 2);
  side_assert_kept(&side, 3);
  assert_true(store_current(side.store, &current));
  assert_memory_equal(&current, &id, sizeof id);
  stop_one(&folder, &side);
}

/* What could not be marked as forgotten is marked later. */
static void test_forgotten_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  start_one(&folder, &side, &id);
  rlim_t kept = limit_descriptors(0);
  side_forget(&side, &id);
  side_tick(&side, 1000);
  limit_descriptors(kept);
  side_tick(&side, 1000);
  side_restart(&side, &folder);
  assert_null(store_find(side.store, &id));
  stop_one(&folder, &side);
}

static void test_swept_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[2];
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 2; seed++)
    side_keep(&side, seed, &ids[seed]);
  side_settle(&side);
  rlim_t kept = limit_descriptors(0);
  side.limits.store_puzzles = 1;
  side_tick(&side, 1000);
  limit_descriptors(kept);
  side_tick(&side, 1000);
  side.limits.store_puzzles = 2;
  side_restart(&side, &folder);
  assert_null(store_find(side.store, &ids[0]));
  side_assert_kept(&side, 1);
  stop_one(&folder, &side);
}

/* A segment that could not be cleaned is cleaned later. */
static void test_cleaned_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  start_one(&folder, &side, &id);
  side_set_damaged(&side, store_find(side.store, &id)->place.segment);
  rlim_t kept = limit_descriptors(0);
  side_tick(&side, 1000);
  limit_descriptors(kept);
  assert_int_equal(side_damaged(&side), 0);
  side_tick(&side, 1000);
  assert_int_equal(side_damaged(&side), 1);
  side_restart(&side, &folder);
  side_assert_kept(&side, 1);
  stop_one(&folder, &side);
}

/* Nobody is told that all is forgotten before it is. */
static void test_cleared_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  struct reading cleared = {.waiter.done = reading_done};
  start_one(&folder, &side, &id);
  rlim_t kept = limit_descriptors(0);
  cache_clear(&side.cache);
  assert_int_equal(store_clear(side.store, &cleared.waiter), 0);
  while (list_empty(&side.store->clears_left))
    side_pump(&side);
  assert_false(cleared.done);
  limit_descriptors(kept);
  side_tick(&side, 1000);
  assert_true(cleared.done);
  side_restart(&side, &folder);
  assert_int_equal(store_count(side.store), 0);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_TABLES), 0);
  stop_one(&folder, &side);
}

/* A clear that is left when the store goes is over, too. */
static void test_clear_left_at_the_end(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  struct reading cleared = {.waiter.done = reading_done};
  start_one(&folder, &side, &id);
  rlim_t kept = limit_descriptors(0);
  assert_int_equal(store_clear(side.store, &cleared.waiter), 0);
  while (list_empty(&side.store->clears_left))
    side_pump(&side);
  store_free(side.store);
  assert_true(cleared.done);
  limit_descriptors(kept);
  side_start(&side, &folder);
  stop_one(&folder, &side);
}

/* The record could be written, to a segment that is open, and the file of the current puzzle could not. */
static void test_current_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id, current;
  start_one(&folder, &side, &id);
  rlim_t kept = limit_descriptors(0);
  side_keep(&side, 2, &id);
  store_set_current(side.store, &id);
  side_tick(&side, 1000);
  limit_descriptors(kept);
  side_tick(&side, 1000);
  side_restart(&side, &folder);
  assert_true(store_current(side.store, &current));
  assert_memory_equal(&current, &id, sizeof id);
  stop_one(&folder, &side);
}

/* What the loop asks of the store without memory: nothing leaks or breaks, and nobody waits for ever. */
static void test_without_memory(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  for (long nth = 0; nth < 40; nth++) {
    side_init(&side, &folder);
    side_stop(&side);
    failing_alloc_arm(nth);
    const struct store_options options = {
        .folder = folder.store,
        .limits = &side.limits,
        .log = &side.log,
        .cache = &side.cache,
        .wake = side_wake,
        .released = side_released,
        .context = &side,
    };
    int result = store_new(&options, &side.store);
    failing_alloc_disarm();
    assert_true(result == 0 || result == -ENOMEM || result == -EAGAIN);
    if (result < 0)
      side_start(&side, &folder);
    side_settle(&side);

    side.failing_nth = nth;
    side_keep(&side, (uint64_t)nth, &id);
    side_settle(&side);
    struct stored *stored = store_find(side.store, &id);
    if (stored) {
      struct reading read = {.waiter.done = reading_done},
                     forgotten = {.waiter.done = reading_done};
      uint64_t bytes;
      list_init(&read.waiter.link);
      failing_alloc_arm(nth);
      bool reads = store_read_puzzle(side.store, stored, &read.waiter) == 0;
      failing_alloc_disarm();
      while (reads && !read.done)
        side_pump(&side);
      arena_free(read.waiter.arena);
      failing_alloc_arm(nth);
      bool forgets = store_forget(side.store, &id, &forgotten.waiter, &bytes) == 0;
      failing_alloc_disarm();
      while (forgets && !forgotten.done)
        side_pump(&side);
    }
    failing_alloc_arm(nth);
    store_tick(side.store, side.now_ms += 1000);
    failing_alloc_disarm();
    side_wait_for_scan(&side);
    side_deinit(&side);
  }
  test_folder_deinit(&folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_disk_is_tried_again),
      cmocka_unit_test(test_full_disk_is_never_tried_again),
      cmocka_unit_test(test_without_descriptors),
      cmocka_unit_test(test_forgotten_without_descriptors),
      cmocka_unit_test(test_swept_without_descriptors),
      cmocka_unit_test(test_cleaned_without_descriptors),
      cmocka_unit_test(test_cleared_without_descriptors),
      cmocka_unit_test(test_clear_left_at_the_end),
      cmocka_unit_test(test_current_without_descriptors),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
