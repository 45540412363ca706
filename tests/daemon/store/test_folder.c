/* A folder that cannot be used, that goes or that comes late: the store says so and recovers. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/daemon/store/side.h"

static void test_folders_that_are_refused(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  assert_int_equal(mkdir(folder.store, 0755), 0);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(side_state(&side), STORE_FAILING);
  side_keep(&side, 1, &id);
  assert_non_null(cache_find(&side.cache, &id));
  assert_int_equal(chmod(folder.store, 0700), 0);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(side_state(&side), STORE_ON);
  side_deinit(&side);
  test_folder_deinit(&folder);

  test_folder_init(&folder);
  assert_int_equal(symlink("/tmp", folder.store), 0);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(side_state(&side), STORE_FAILING);
  stop_one(&folder, &side);
}

/* What lay in a folder that could not be opened at first is all taken over later. */
static void test_folder_that_opens_late(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id, current;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 1, &id);
  side_stop(&side);
  assert_int_equal(chmod(folder.store, 0755), 0);
  side_start(&side, &folder);
  side_settle(&side);
  assert_false(store_current(side.store, &current));
  assert_int_equal(chmod(folder.store, 0700), 0);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_true(store_current(side.store, &current));
  assert_memory_equal(&current, &id, sizeof id);
  side_assert_kept(&side, 1);
  stop_one(&folder, &side);
}

static void test_folder_that_goes(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  start_one(&folder, &side, &id);
  char moved[TEST_PATH_MAX + 8];
  snprintf(moved, sizeof moved, "%s.moved", folder.store);
  assert_int_equal(rename(folder.store, moved), 0);
  side_keep(&side, 3, &id);
  side_settle(&side);
  side_restart(&side, &folder);
  assert_int_equal(store_count(side.store), 0);
  side_keep(&side, 5, &id);
  side_settle(&side);
  side_assert_kept(&side, 5);
  stop_one(&folder, &side);
}

/* All is gone: that is noticed, and what is still in memory is kept in a new folder. */
static void test_folder_that_is_removed(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  start_one(&folder, &side, &id);
  test_folder_remove(&folder);
  side_keep(&side, 3, &id);
  side_settle(&side);
  assert_int_equal(side_state(&side), STORE_FAILING);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(side_state(&side), STORE_ON);
  side_restart(&side, &folder);
  side_assert_kept(&side, 1);
  side_assert_kept(&side, 3);
  stop_one(&folder, &side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_folders_that_are_refused),
      cmocka_unit_test(test_folder_that_opens_late),
      cmocka_unit_test(test_folder_that_goes),
      cmocka_unit_test(test_folder_that_is_removed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
