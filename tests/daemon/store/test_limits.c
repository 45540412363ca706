/* What is kept at all, and what goes when there is too much of it. */
#include "tests/daemon/entries.h"
#include "tests/daemon/store/side.h"

enum { WAITING_MAX = 4096 }; /* tables to be written */

static void test_only_tables_that_pay(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side.limits.store_read_rate = 1000000;
  side_keep(&side, 100, &id);
  side_settle(&side);
  assert_false(store_may_have_table(side.store, &id));
  side_keep(&side, 1000000, &id);
  side_settle(&side);
  assert_true(store_may_have_table(side.store, &id));
  stop_one(&folder, &side);
}

/* Its record is said to lie somewhere, which nobody looks at. */
static void keep_made_up(struct side *side, uint32_t number)
{
  const struct place place = {1, SEGMENT_HEAD_BYTES + number * RECORD_HEAD_BYTES,
                              RECORD_HEAD_BYTES};
  struct id id = {{0}};
  memcpy(id.bytes, &number, sizeof number);
  struct solved *solved = entry_add(&side->cache, &id, 1);
  store_add(side->store, solved, &place);
  cache_unref(&side->cache, solved);
}

/* Each is in use until it is written, and the loop must not have to pass over any number of them. */
static void test_tables_that_wait_are_bounded(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  uint32_t in_use = 0;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  for (uint32_t number = 0; number < WAITING_MAX + 10; number++)
    keep_made_up(&side, number);
  for (struct link *at = side.cache.in_use.next; at != &side.cache.in_use; at = at->next)
    in_use++;
  assert_int_equal(in_use, WAITING_MAX);
  store_free(side.store);
  side_start(&side, &folder);
  stop_one(&folder, &side);
}

static void test_least_recently_used_tables_go(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[20];
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 20; seed++)
    side_keep(&side, seed, &ids[seed]);
  side_settle(&side);
  store_touch(side.store, &ids[0]);
  side.limits.store_bytes = store_bytes(side.store) - 1;
  side_tick(&side, 1000);
  assert_true(store_bytes(side.store) <= side.limits.store_bytes);
  assert_false(store_may_have_table(side.store, &ids[1]));
  assert_non_null(store_find(side.store, &ids[1]));
  side_assert_kept(&side, 0);
  side_restart(&side, &folder);
  assert_false(store_may_have_table(side.store, &ids[1]));
  side_assert_kept(&side, 0);
  stop_one(&folder, &side);
}

static void test_too_many_or_too_old_go(void **state)
{
  (void)state;
  enum { DAY_S = 86400 };
  struct test_folder folder;
  struct store_folder files;
  struct puzzle_log log;
  struct test_puzzle puzzle;
  struct side side;
  struct place place;
  test_folder_init(&folder);
  test_folder_open(&folder, &files);
  puzzle_log_init(&log, &files);
  for (uint32_t seed = 0; seed < 10; seed++) {
    test_puzzle_init(&puzzle, seed);
    assert_int_equal(
        puzzle_log_append(&log, puzzle.arena, &puzzle.id, store_now_s() - seed * DAY_S, &place), 0);
    test_puzzle_deinit(&puzzle);
  }
  puzzle_log_deinit(&log);
  store_folder_deinit(&files);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(store_count(side.store), 10);
  side.limits.store_age_days = 7;
  side_tick(&side, 1000);
  assert_int_equal(store_count(side.store), 7);
  side.limits.store_puzzles = 4;
  side_tick(&side, 1000);
  assert_int_equal(store_count(side.store), 4);
  side_restart(&side, &folder);
  assert_int_equal(store_count(side.store), 4);
  test_puzzle_init(&puzzle, 3);
  assert_non_null(store_find(side.store, &puzzle.id));
  test_puzzle_deinit(&puzzle);
  stop_one(&folder, &side);
}

/* A puzzle goes before it is known that its table was written: that goes with it. */
static void test_table_goes_with_its_puzzle(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[2];
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  side.limits.store_puzzles = 1;
  side_keep(&side, 0, &ids[0]);
  side_keep(&side, 1, &ids[1]);
  side_tick(&side, 1000);
  assert_null(store_find(side.store, &ids[0]));
  side_assert_kept(&side, 1);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_TABLES), 1);
  stop_one(&folder, &side);
}

/* Most of it forgotten: the log gets shorter, and what is left can be read. */
static void test_log_is_cleaned(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  side.limits.store_read_rate = UINT64_MAX;
  uint8_t *filler = calloc(1, SEGMENT_BYTES);
  assert_non_null(filler);
  for (uint64_t seed = 0; seed < 6; seed++) {
    struct place place;
    side_keep(&side, seed, &id);
    assert_int_equal(puzzle_log_append_record(&side.store->log, filler, SEGMENT_BYTES, &place), 0);
  }
  free(filler);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_PUZZLES), 6);
  side_restart(&side, &folder);
  assert_true(index_log_bytes(&side.store->index) < SEGMENT_BYTES);
  for (uint64_t seed = 0; seed < 6; seed++)
    side_assert_puzzle_kept(&side, seed);
  stop_one(&folder, &side);
}

static void test_damaged_files_are_bounded(void **state)
{
  (void)state;
  struct test_folder folder;
  struct store_folder files;
  test_folder_init(&folder);
  test_folder_open(&folder, &files);
  for (int i = 0; i < 3 * SET_ASIDE_MAX; i++) {
    file_write(&files, SUBFOLDER_TABLES, "foreign", "x", 1);
    store_folder_set_aside(&files, SUBFOLDER_TABLES, "foreign");
  }
  assert_int_equal(file_count(&files, SUBFOLDER_DAMAGED), SET_ASIDE_MAX);
  store_folder_deinit(&files);
  test_folder_deinit(&folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_only_tables_that_pay),
      cmocka_unit_test(test_tables_that_wait_are_bounded),
      cmocka_unit_test(test_least_recently_used_tables_go),
      cmocka_unit_test(test_too_many_or_too_old_go),
      cmocka_unit_test(test_table_goes_with_its_puzzle),
      cmocka_unit_test(test_log_is_cleaned),
      cmocka_unit_test(test_damaged_files_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
