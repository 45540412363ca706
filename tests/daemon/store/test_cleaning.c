/* While a segment is cleaned, another store, a look at the folder or whoever forgets comes between. */
#include "tests/daemon/store/meanwhile.h"
#include "tests/daemon/store/pair.h"

static void look(void *side)
{
  side_wait_for_scan(side);
  side_tick(side, 1000);
}

static void look_at_next_write(void *side)
{
  meanwhile(look, side);
}

/* One copies records to remove their segment when the other looks, and sees some of them twice. */
static void test_seen_twice_while_cleaned(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id, other;
  test_folder_init(&folder);
  side_init(&one, &folder);
  for (uint64_t seed = 1; seed < 4; seed++)
    side_keep(&one, seed, &id);
  side_settle(&one);
  side_init(&two, &folder);
  side_keep(&two, 4, &other);
  side_settle(&two);
  side_set_damaged(&one, store_find(one.store, &id)->place.segment);
  meanwhile(look_at_next_write, &two);
  side_tick(&one, 1000);
  assert_true(meanwhile_happened());
  side_restart(&one, &folder);
  side_restart(&two, &folder);
  for (uint64_t seed = 1; seed < 5; seed++) {
    side_assert_kept(&one, seed);
    side_assert_kept(&two, seed);
  }
  stop_both(&folder, &one, &two);
}

/* The segment of a puzzle is copied, and the index does not follow yet. */
static void copy_segment(struct side *side, const struct id *id)
{
  side_tick(side, 1000);
  side_set_damaged(side, store_find(side->store, id)->place.segment);
  while (sem_trywait(&side->woken) == 0)
    continue;
  store_tick(side->store, side->now_ms += 1000);
  sem_wait(&side->woken);
}

/* What was forgotten when it was copied is not there for whoever starts next, whatever ends this one. */
static void test_forgotten_while_cleaned(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  start_one(&folder, &one, &id);
  copy_segment(&one, &id);
  sem_post(&one.woken);
  side_forget(&one, &id);
  side_settle(&one);
  side_init(&two, &folder);
  side_settle(&two);
  assert_null(store_find(two.store, &id));
  stop_both(&folder, &one, &two);
}

/* A solve has written its record; the loop is told of that when it has the time. */
static struct solved *write_one(struct side *side, uint64_t seed, struct place *place)
{
  struct test_puzzle puzzle;
  test_puzzle_init(&puzzle, seed);
  assert_int_equal(store_write_puzzle(side->store, puzzle.arena, &puzzle.id, place), 0);
  struct solved *solved = cache_add(&side->cache, &puzzle.id, puzzle.arena, puzzle.table);
  assert_non_null(solved);
  return solved;
}

/* So that there is something unknown before a record that is known. */
static void keep_two_the_later_first(struct side *side, struct id *later)
{
  struct place places[2];
  struct solved *solved[2];
  for (int i = 0; i < 2; i++)
    solved[i] = write_one(side, (uint64_t)i, &places[i]);
  *later = solved[1]->node.id;
  for (int i = 1; i >= 0; i--) {
    store_add(side->store, solved[i], &places[i]);
    cache_unref(&side->cache, solved[i]);
  }
  side_settle(side);
}

/* The same where it is not known that the index knows all that lies before it. */
static void test_later_one_forgotten_while_cleaned(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  keep_two_the_later_first(&side, &id);
  copy_segment(&side, &id);
  sem_post(&side.woken);
  side_forget(&side, &id);
  side_restart(&side, &folder);
  assert_null(store_find(side.store, &id));
  side_assert_puzzle_kept(&side, 0);
  stop_one(&folder, &side);
}

static void forget_and_look(struct side *side, const struct id *id, bool looks_first)
{
  struct reading looked = {.waiter.done = reading_done}, forgotten = looked;
  uint64_t bytes;
  if (looks_first)
    store_wait(side->store, &looked.waiter);
  assert_int_equal(store_forget(side->store, id, &forgotten.waiter, &bytes), 0);
  if (!looks_first)
    store_wait(side->store, &looked.waiter);
  sem_post(&side->woken);
  while (!looked.done || !forgotten.done)
    side_pump(side);
  side_settle(side);
}

/* A look at the folder finds the copy, of which whoever had the puzzle forgotten could not know. */
static void test_forgotten_while_cleaned_and_seen(void **state)
{
  (void)state;
  for (int looks_first = 0; looks_first < 2; looks_first++) {
    struct test_folder folder;
    struct side side;
    struct id id;
    test_folder_init(&folder);
    side_init(&side, &folder);
    side_settle(&side);
    side_keep(&side, 1, &id);
    side_settle(&side);
    copy_segment(&side, &id);
    forget_and_look(&side, &id, looks_first);
    assert_null(store_find(side.store, &id));
    side_deinit(&side);
    test_folder_deinit(&folder);
  }
}

/* One copies a record, which the other then gives up for a higher one, and reads it where it was before. */
static void test_read_while_cleaned(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  struct reading reading = {.waiter.done = reading_done};
  start_both(&folder, &one, &two, &id);
  side_keep(&two, 1, &id);
  side_settle(&two);
  copy_segment(&one, &id);
  side_tick(&two, 1000);
  assert_int_equal(store_read_puzzle(one.store, store_find(one.store, &id), &reading.waiter), 0);
  sem_wait(&one.woken);
  sem_post(&one.woken);
  while (!reading.done)
    side_pump(&one);
  side_settle(&one);
  side_wait_for_scan(&two);
  side_tick(&two, 1000);
  side_tick(&one, 1000);
  side_restart(&one, &folder);
  side_assert_kept(&one, 1);
  stop_both(&folder, &one, &two);
}

/* A segment that was set aside takes room on disk as before. */
static void test_set_aside_is_counted(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  start_one(&folder, &side, &id);
  side_set_damaged(&side, store_find(side.store, &id)->place.segment);
  side_tick(&side, 1000);
  assert_int_equal(side_damaged(&side), 1);
  uint64_t bytes = store_bytes(side.store);
  side_wait_for_scan(&side);
  assert_int_equal(bytes, store_bytes(side.store));
  stop_one(&folder, &side);
}

/* What another daemon has added since it was last looked at is not lost when its segment is cleaned. */
static void test_unknown_record_is_cleaned(void **state)
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
  uint32_t segment = store_find(two.store, &id)->place.segment;
  side_keep(&two, 3, &id);
  side_deinit(&two);
  side_set_damaged(&one, segment);
  side_tick(&one, 1000);
  assert_int_equal(side_damaged(&one), 1);
  side_wait_for_scan(&one);
  side_assert_kept(&one, 3);
  side_restart(&one, &folder);
  side_assert_kept(&one, 2);
  side_assert_kept(&one, 3);
  stop_one(&folder, &one);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_seen_twice_while_cleaned),
      cmocka_unit_test(test_forgotten_while_cleaned),
      cmocka_unit_test(test_later_one_forgotten_while_cleaned),
      cmocka_unit_test(test_forgotten_while_cleaned_and_seen),
      cmocka_unit_test(test_read_while_cleaned),
      cmocka_unit_test(test_set_aside_is_counted),
      cmocka_unit_test(test_unknown_record_is_cleaned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
