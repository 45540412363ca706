/* Two stores in one folder: each finds what the other keeps, and neither loses it. */
#include "tests/daemon/store/meanwhile.h"
#include "tests/daemon/store/pair.h"

enum { MANY = 300 };

/* What one daemon still knows of before another cleared the folder lies nowhere, not where others lie now. */
static void test_cleared_by_another(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id old, new;
  start_both(&folder, &one, &two, &old);
  side_clear(&one);
  side_keep(&one, 2, &new);
  side_settle(&one);
  side_forget(&two, &old);
  side_wait_for_scan(&two);
  side_assert_kept(&two, 2);
  side_restart(&one, &folder);
  side_assert_kept(&one, 2);
  stop_both(&folder, &one, &two);
}

/* It is known where it lay before the clear, and solved again since it is in memory no longer. */
static void test_kept_again_after_a_clear(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  start_both(&folder, &one, &two, &id);
  cache_clear(&one.cache);
  side_clear(&one);
  side_keep(&two, 1, &id);
  side_restart(&two, &folder);
  side_assert_kept(&two, 1);
  stop_both(&folder, &one, &two);
}

/* Once somebody has asked for it, there is only the empty segment that the clear has made. */
static void test_cleared_by_the_other(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  start_both(&folder, &one, &two, &id);
  assert_int_equal(store_count(two.store), 1);
  cache_clear(&one.cache);
  side_clear(&one);
  assert_null(side_read_puzzle(&two, &id));
  side_settle(&two);
  assert_int_equal(store_count(two.store), 0);
  assert_int_equal(store_bytes(two.store), SEGMENT_HEAD_BYTES);
  stop_both(&folder, &one, &two);
}

static void clear(void *side)
{
  side_clear(side);
}

/* What is kept when the other has cleared is there, though the file went just before it was written to. */
static void test_cleared_while_the_other_keeps(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_settle(&one);
  side_init(&two, &folder);
  side_settle(&two);
  side_keep(&two, 1, &id);
  side_settle(&two);
  meanwhile(clear, &one);
  side_keep(&two, 2, &id);
  assert_true(meanwhile_happened());
  side_restart(&two, &folder);
  side_assert_kept(&two, 2);
  assert_int_equal(store_count(two.store), 1);
  stop_both(&folder, &one, &two);
}

/* Each sees what the other has kept, when it looks; neither disturbs the other; and no puzzle is lost. */
static void test_two_share_a_folder(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_init(&two, &folder);
  for (uint64_t seed = 0; seed < 40; seed++) {
    side_keep(seed % 2 ? &one : &two, seed, &id);
    if (seed % 5 == 0)
      side_keep(seed % 2 ? &two : &one, seed, &id); /* both solve this one */
  }
  side_settle(&one);
  side_settle(&two);
  side_wait_for_scan(&one);
  side_wait_for_scan(&two);
  for (uint64_t seed = 0; seed < 40; seed++) {
    side_assert_kept(&one, seed);
    side_assert_kept(&two, seed);
  }
  side_tick(&one, 0);
  side_tick(&two, 0);
  side_restart(&one, &folder);
  for (uint64_t seed = 0; seed < 40; seed++)
    side_assert_kept(&one, seed);
  assert_int_equal(store_count(one.store), 40);
  side_deinit(&two);
  side_restart(&one, &folder);
  assert_int_equal(store_count(one.store), 40);
  stop_one(&folder, &one);
}

/* Whoever asks while the store is looking may ask for what was kept after it had looked there. */
static void test_kept_while_looking(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  struct reading early = {.waiter.done = reading_done}, late = early;
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_init(&two, &folder);
  side_settle(&one);
  side_settle(&two);
  store_wait(one.store, &early.waiter);
  sem_wait(&one.woken);
  side_keep(&two, 1, &id);
  store_wait(one.store, &late.waiter);
  sem_post(&one.woken);
  while (!early.done || !late.done)
    side_pump(&one);
  side_assert_puzzle_kept(&one, 1);
  stop_both(&folder, &one, &two);
}

/* Of two records of a puzzle one stays, though the daemon that knows the one appends to a lower segment. */
static void test_kept_by_both(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  start_one(&folder, &one, &id);
  side_init(&two, &folder);
  side_keep(&two, 2, &id);
  side_settle(&two);
  side_wait_for_scan(&one);
  side_keep(&one, 2, &id);
  side_wait_for_scan(&one);
  side_wait_for_scan(&two);
  side_tick(&one, 1000);
  side_tick(&two, 1000);
  side_restart(&one, &folder);
  side_assert_kept(&one, 2);
  assert_int_equal(store_count(one.store), 2);
  stop_both(&folder, &one, &two);
}

static bool is_current(struct side *side, const struct id *id)
{
  struct id current;
  return store_current(side->store, &current) && memcmp(&current, id, sizeof current) == 0;
}

/* Two keep the same puzzle, and the record that one of them knows is given up for the other's. */
static void test_kept_elsewhere(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  start_both(&folder, &one, &two, &id);
  side_keep(&two, 1, &id);
  side_tick(&two, 1000);
  uint32_t known = store_find(one.store, &id)->place.segment;
  assert_int_not_equal(store_find(two.store, &id)->place.segment, known);
  side_assert_kept(&one, 1);
  assert_int_not_equal(store_find(one.store, &id)->place.segment, known);
  assert_true(is_current(&one, &id));
  stop_both(&folder, &one, &two);
}

static void test_forgotten_by_another(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  start_both(&folder, &one, &two, &id);
  side_forget(&two, &id);
  assert_non_null(store_find(one.store, &id));
  assert_null(side_read_puzzle(&one, &id));
  assert_null(store_find(one.store, &id));
  assert_false(is_current(&one, &id));
  side_restart(&one, &folder);
  assert_null(store_find(one.store, &id));
  stop_both(&folder, &one, &two);
}

/* Whoever goes on in a segment of another does not know yet what the other has added to it. */
static void test_taken_over_segment_is_read(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  start_one(&folder, &one, &id);
  side_fill_segment(&one);
  side_init(&two, &folder);
  side_keep(&two, 2, &id);
  uint32_t taken_over = store_find(two.store, &id)->place.segment;
  side_deinit(&two);
  side_keep(&one, 3, &id);
  assert_int_equal(store_find(one.store, &id)->place.segment, taken_over);
  side_wait_for_scan(&one);
  side_assert_puzzle_kept(&one, 2);
  stop_one(&folder, &one);
}

/* Solving threads append while the loop reads, forgets and cleans. */
struct appender {
  pthread_t thread;
  struct side *side;
  uint64_t first;
  struct place places[MANY];
};

static void *append_many(void *argument)
{
  struct appender *appender = argument;
  for (uint64_t i = 0; i < MANY; i++) {
    struct test_puzzle puzzle;
    test_puzzle_init(&puzzle, appender->first + i);
    store_write_puzzle(appender->side->store, puzzle.arena, &puzzle.id, &appender->places[i]);
    test_puzzle_deinit(&puzzle);
  }
  return NULL;
}

static void test_appended_from_many_threads(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  static struct appender appenders[4];
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_init(&two, &folder);
  side_settle(&one);
  side_settle(&two);
  for (unsigned i = 0; i < 4; i++) {
    appenders[i] = (struct appender){.side = i % 2 ? &one : &two, .first = i * (uint64_t)MANY};
    assert_int_equal(pthread_create(&appenders[i].thread, NULL, append_many, &appenders[i]), 0);
  }
  for (int i = 0; i < 20; i++)
    side_wait_for_scan(&one);
  for (unsigned i = 0; i < 4; i++)
    pthread_join(appenders[i].thread, NULL);
  side_wait_for_scan(&one);
  for (uint64_t seed = 0; seed < 4 * MANY; seed++)
    side_assert_puzzle_kept(&one, seed);
  stop_both(&folder, &one, &two);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cleared_by_another),
      cmocka_unit_test(test_kept_again_after_a_clear),
      cmocka_unit_test(test_cleared_by_the_other),
      cmocka_unit_test(test_cleared_while_the_other_keeps),
      cmocka_unit_test(test_two_share_a_folder),
      cmocka_unit_test(test_kept_while_looking),
      cmocka_unit_test(test_kept_by_both),
      cmocka_unit_test(test_kept_elsewhere),
      cmocka_unit_test(test_forgotten_by_another),
      cmocka_unit_test(test_taken_over_segment_is_read),
      cmocka_unit_test(test_appended_from_many_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
