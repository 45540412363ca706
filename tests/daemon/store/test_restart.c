/* What a store keeps is there when it is started again; what was forgotten or cleared is not. */
#include <errno.h>

#include "tests/daemon/store/side.h"

static void test_lasts(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id, current;
  char digits[ID_TEXT + 1];
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 20; seed++)
    side_keep(&side, seed, &id);
  side_restart(&side, &folder);
  for (uint64_t seed = 0; seed < 20; seed++)
    side_assert_kept(&side, seed);
  assert_true(store_current(side.store, &current));
  assert_memory_equal(&current, &id, sizeof id);
  struct stored *found = NULL;
  id_format(&id, digits);
  digits[10] = '\0';
  assert_int_equal(store_find_prefix(side.store, digits, &found), 1);
  assert_memory_equal(&found->node.id, &id, sizeof id);
  stop_one(&folder, &side);
}

static void test_forgotten_and_cleared(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[3];
  uint64_t bytes = 0;
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 3; seed++)
    side_keep(&side, seed, &ids[seed]);
  side_settle(&side);
  struct reading forgotten = {.waiter.done = reading_done};
  assert_int_equal(store_forget(side.store, &ids[2], &forgotten.waiter, &bytes), 0);
  assert_true(bytes > 0);
  assert_int_equal(store_forget(side.store, &ids[2], &forgotten.waiter, &bytes), -ENOENT);
  while (!forgotten.done)
    side_pump(&side);
  side_restart(&side, &folder);
  assert_null(store_find(side.store, &ids[2]));
  assert_false(store_current(side.store, &ids[2]));
  side_assert_kept(&side, 0);
  side_clear(&side);
  assert_int_equal(store_bytes(side.store), 0);
  side_keep(&side, 5, &ids[0]);
  side_restart(&side, &folder);
  side_assert_kept(&side, 5);
  assert_int_equal(store_count(side.store), 1);
  stop_one(&folder, &side);
}

/* A solve has written its record when all is cleared, and comes to the loop before or after that is done. */
static void test_cleared_while_solving(void **state)
{
  (void)state;
  for (int after = 0; after < 2; after++) {
    struct test_folder folder;
    struct side side;
    struct test_puzzle puzzle;
    struct place place;
    struct id id;
    test_folder_init(&folder);
    side_init(&side, &folder);
    side_keep(&side, 1, &id);
    side_settle(&side);
    test_puzzle_init(&puzzle, 2);
    assert_int_equal(store_write_puzzle(side.store, puzzle.arena, &puzzle.id, &place), 0);
    struct reading cleared = {.waiter.done = reading_done};
    cache_clear(&side.cache);
    assert_int_equal(store_clear(side.store, &cleared.waiter), 0);
    while (after && !cleared.done)
      side_pump(&side);
    struct solved *solved = cache_add(&side.cache, &puzzle.id, puzzle.arena, puzzle.table);
    assert_non_null(solved);
    solved->solve_us = 2;
    store_add(side.store, solved, &place);
    cache_unref(&side.cache, solved);
    side_settle(&side);
    assert_int_equal(index_log_bytes(&side.store->index),
                     store_folder_bytes(&side.store->folder, SUBFOLDER_PUZZLES));
    side_restart(&side, &folder);
    assert_int_equal(store_count(side.store), 1);
    side_assert_kept(&side, 2);
    side_deinit(&side);
    test_folder_deinit(&folder);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lasts),
      cmocka_unit_test(test_forgotten_and_cleared),
      cmocka_unit_test(test_cleared_while_solving),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
