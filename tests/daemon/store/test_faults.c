/* Each file operation of a store's life fails once with EIO: nothing wrong is read, and what was kept stays. */
#include <errno.h>
#include <sys/resource.h>

#include "tests/daemon/store/side.h"
#include "tests/support/failing_io.h"

enum { OPERATIONS_MIN = 50, OPERATIONS_MAX = 1000, PUZZLES = 4 };

/* Keeps, reads back, forgets and restarts, whatever fails. */
static void live(struct side *side, const struct test_folder *folder)
{
  struct id id;
  side_init(side, folder);
  for (uint64_t seed = 0; seed < PUZZLES; seed++)
    side_keep(side, seed, &id);
  side_settle(side);
  side_restart(side, folder);
  for (uint64_t seed = 0; seed < PUZZLES; seed++) {
    struct test_puzzle puzzle;
    struct table *table = NULL;
    uint64_t solve_us;
    test_puzzle_init(&puzzle, seed);
    arena_free(side_read_puzzle(side, &puzzle.id));
    int result = store_read_table(side->store, &puzzle.id, puzzle.arena->nodes, UINT64_MAX, NULL,
                                  &table, &solve_us);
    store_table_was_read(side->store, &puzzle.id, result);
    if (result == 0)
      assert_memory_equal(table->cells, puzzle.table->cells,
                          table_bytes(table->nodes, table->width));
    table_free(table);
    test_puzzle_deinit(&puzzle);
  }
  side_tick(side, 1000);
}

/* The disk works again: it is opened anew, and what is kept now lasts. */
static void assert_recovers(struct side *side, const struct test_folder *folder)
{
  struct id id;
  struct store_status status;
  side_tick(side, 1000);
  side_tick(side, side->limits.store_retry_ms << 6);
  store_status(side->store, &status);
  assert_int_equal(status.state, STORE_ON);
  side_restart(side, folder);
  for (uint64_t seed = 0; seed < PUZZLES; seed++) {
    struct test_puzzle puzzle;
    test_puzzle_init(&puzzle, seed);
    if (!store_may_have_table(side->store, &puzzle.id))
      side_keep(side, seed, &id);
    test_puzzle_deinit(&puzzle);
  }
  side_settle(side);
  for (uint64_t seed = 0; seed < PUZZLES; seed++)
    side_assert_kept(side, seed);
}

static void test_each_operation_fails_once(void **state)
{
  (void)state;
  bool failed = true;
  long nth = 0;
  for (; failed; nth++) {
    struct test_folder folder;
    struct side side;
    test_folder_init(&folder);
    failing_io_arm(EIO, nth);
    live(&side, &folder);
    failed = failing_io_disarm();
    assert_recovers(&side, &folder);
    side_deinit(&side);
    test_folder_deinit(&folder);
  }
  printf("# %ld operations\n", nth);
  assert_in_range(nth, OPERATIONS_MIN, OPERATIONS_MAX);
}

/* Forgets puzzle 0, or all where `clears`; returns what whoever asked is told. */
static int forget(struct side *side, bool clears)
{
  struct reading forgotten = {.waiter.done = reading_done};
  struct test_puzzle puzzle;
  uint64_t bytes;
  test_puzzle_init(&puzzle, 0);
  cache_clear(&side->cache);
  int result = clears ? store_clear(side->store, &forgotten.waiter)
                      : store_forget(side->store, &puzzle.id, &forgotten.waiter, &bytes);
  assert_int_equal(result, 0);
  while (!forgotten.done)
    side_pump(side);
  test_puzzle_deinit(&puzzle);
  return forgotten.waiter.result;
}

/* What is listed when whoever asked is told is there after a restart. */
static void assert_listed_stays(struct side *side, const struct test_folder *folder)
{
  uint32_t listed = store_count(side->store);
  side_tick(side, 1000);
  side_tick(side, side->limits.store_retry_ms << 6);
  assert_int_equal(side_state(side), STORE_ON);
  side_restart(side, folder);
  assert_int_equal(store_count(side->store), listed);
}

static void fail_while_forgetting(bool clears)
{
  bool failed = true;
  unsigned told_of = 0;
  for (long nth = 0; failed; nth++) {
    struct test_folder folder;
    struct side side;
    struct id id;
    test_folder_init(&folder);
    side_init(&side, &folder);
    for (uint64_t seed = 0; seed < PUZZLES; seed++)
      side_keep(&side, seed, &id);
    side_restart(&side, &folder);
    failing_io_arm(EIO, nth);
    int told = forget(&side, clears);
    failed = failing_io_disarm();
    if (told == 0)
      assert_int_equal(store_count(side.store), clears ? 0 : PUZZLES - 1);
    told_of += told < 0;
    assert_listed_stays(&side, &folder);
    side_deinit(&side);
    test_folder_deinit(&folder);
  }
  assert_true(told_of > 0);
}

static void test_told_of_what_cannot_be_forgotten(void **state)
{
  (void)state;
  fail_while_forgetting(false);
}

static void test_told_of_what_cannot_be_cleared(void **state)
{
  (void)state;
  fail_while_forgetting(true);
}

/* What was appended before a new segment was begun is on disk, or the next sync says that it may not be. */
static void test_left_segment_is_synced_or_told(void **state)
{
  (void)state;
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    struct test_folder test;
    struct store_folder folder;
    struct puzzle_log log;
    struct test_puzzle puzzle;
    struct place place;
    test_folder_init(&test);
    test_folder_open(&test, &folder);
    test_puzzle_init(&puzzle, 0);
    puzzle_log_init(&log, &folder);
    assert_int_equal(puzzle_log_append(&log, puzzle.arena, &puzzle.id, 1, &place), 0);
    failing_io_arm(EIO, nth);
    int result = puzzle_log_append_after(&log, place.segment);
    failed = failing_io_disarm();
    int synced = puzzle_log_sync(&log);
    if (failed)
      assert_true(result == -EIO || synced == -EIO);
    assert_int_equal(puzzle_log_sync(&log), 0);
    puzzle_log_deinit(&log);
    test_puzzle_deinit(&puzzle);
    store_folder_deinit(&folder);
    test_folder_deinit(&test);
  }
}

/* What was kept is on the disk though there is no descriptor to spare. */
static void test_synced_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct rlimit limit;
  struct id id;
  start_one(&folder, &side, &id);
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const struct rlimit none = {0, limit.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  failing_io_arm(EIO, 0);
  int result = puzzle_log_sync(&side.store->log);
  bool tried = failing_io_disarm();
  setrlimit(RLIMIT_NOFILE, &limit);
  assert_true(tried);
  assert_int_equal(result, -EIO);
  stop_one(&folder, &side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_left_segment_is_synced_or_told),
      cmocka_unit_test(test_each_operation_fails_once),
      cmocka_unit_test(test_synced_without_descriptors),
      cmocka_unit_test(test_told_of_what_cannot_be_forgotten),
      cmocka_unit_test(test_told_of_what_cannot_be_cleared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
