/* What happens while the store looks at its folder: what is forgotten stays so, and nobody's files are spoilt. */
#include "tests/daemon/store/meanwhile.h"
#include "tests/daemon/store/side.h"
#include "tests/support/failing_alloc.h"

enum { MANY = 3000 }; /* more than are taken over at once */

/* Adds puzzles, as another daemon does; their ids are made up. */
static void add_many(const struct test_folder *folder)
{
  struct store_folder files;
  struct puzzle_log log;
  struct test_puzzle puzzle;
  struct place place;
  test_folder_open(folder, &files);
  puzzle_log_init(&log, &files);
  test_puzzle_init(&puzzle, 1);
  for (uint32_t number = 0; number < MANY; number++) {
    memcpy(puzzle.id.bytes, &number, sizeof number);
    assert_int_equal(puzzle_log_append(&log, puzzle.arena, &puzzle.id, store_now_s(), &place), 0);
  }
  test_puzzle_deinit(&puzzle);
  puzzle_log_deinit(&log);
  store_folder_deinit(&files);
}

/* Some of them are known by now, and not all. */
static void take_over_some(struct side *side, struct reading *looked)
{
  store_wait(side->store, &looked->waiter);
  while (store_count(side->store) == 0)
    side_pump(side);
  assert_true(store_count(side->store) < MANY);
}

/* Files have gone when those who were seen in them are still being taken over. */
static void test_cleared_between(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct reading looked = {.waiter.done = reading_done}, cleared = looked;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  add_many(&folder);
  take_over_some(&side, &looked);
  assert_int_equal(store_clear(side.store, &cleared.waiter), 0);
  while (!cleared.done) {
    sem_wait(&side.woken);
    workers_collect(side.store->writers);
  }
  sem_post(&side.woken);
  side_settle(&side);
  assert_true(looked.done);
  assert_int_equal(store_count(side.store), 0);
  assert_int_equal(store_bytes(side.store), 0);
  stop_one(&folder, &side);
}

/* Goes on in a segment of another, of which it knows the last record alone: the one before is of the same puzzle. */
static void keep_twice(struct side *side, const struct test_folder *folder, struct id *id)
{
  struct side other;
  side_keep(side, 1, id);
  side_fill_segment(side);
  side_init(&other, folder);
  side_keep(&other, 2, id);
  side_deinit(&other);
  side_keep(side, 2, id);
  side_settle(side);
}

/* It was seen, with an older record of it, when it was alive. */
static void test_forgotten_between(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  struct reading looked = {.waiter.done = reading_done}, forgotten = looked;
  uint64_t bytes;
  test_folder_init(&folder);
  side_init(&side, &folder);
  keep_twice(&side, &folder, &id);
  store_wait(side.store, &looked.waiter);
  sem_wait(&side.woken);
  assert_int_equal(store_forget(side.store, &id, &forgotten.waiter, &bytes), 0);
  sem_post(&side.woken);
  while (!looked.done || !forgotten.done)
    side_pump(&side);
  assert_null(store_find(side.store, &id));
  side_restart(&side, &folder);
  assert_null(store_find(side.store, &id));
  stop_one(&folder, &side);
}

/* A table that was seen, and is swept after that, is not counted in place of one that is still there. */
static void test_swept_between(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[2];
  struct reading looked = {.waiter.done = reading_done};
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 2; seed++) {
    side_keep(&side, seed, &ids[seed]);
    side_settle(&side);
  }
  store_wait(side.store, &looked.waiter);
  side.limits.store_bytes = store_bytes(side.store) - 1;
  store_tick(side.store, side.now_ms += 1000);
  side_settle(&side);
  assert_true(looked.done);
  assert_false(store_may_have_table(side.store, &ids[0]));
  side_assert_kept(&side, 1);
  stop_one(&folder, &side);
}

/* What there was no memory to take over is found by the next look. */
static void test_no_memory_to_take_over(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  struct reading looked = {.waiter.done = reading_done};
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_settle(&one);
  side_init(&two, &folder);
  side_keep(&two, 1, &id);
  side_settle(&two);
  while (sem_trywait(&one.woken) == 0)
    continue;
  store_wait(one.store, &looked.waiter);
  sem_wait(&one.woken);
  failing_alloc_arm(0);
  store_collect(one.store);
  assert_true(failing_alloc_disarm());
  side_settle(&one);
  assert_null(store_find(one.store, &id));
  side_wait_for_scan(&one);
  side_assert_kept(&one, 1);
  side_deinit(&two);
  stop_one(&folder, &one);
}

static const char first_segment[] = "00000001";

static void cut_record(void *folder)
{
  file_cut(folder, SUBFOLDER_PUZZLES, first_segment,
           file_size(folder, SUBFOLDER_PUZZLES, first_segment) - RECORD_HEAD_BYTES);
}

/* Whoever takes a segment over cuts off what was cut short, when another has seen how long it is, and not read it. */
static void test_shortened_while_looking(void **state)
{
  (void)state;
  struct test_folder folder;
  struct store_folder files;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 1, &id);
  side_stop(&side);
  test_folder_open(&folder, &files);
  size_t size = file_size(&files, SUBFOLDER_PUZZLES, first_segment);
  uint8_t *bytes = file_read(&files, SUBFOLDER_PUZZLES, first_segment);
  bytes = realloc(bytes, size + RECORD_HEAD_BYTES);
  assert_non_null(bytes);
  memcpy(bytes + size, bytes + SEGMENT_HEAD_BYTES, RECORD_HEAD_BYTES);
  file_write(&files, SUBFOLDER_PUZZLES, first_segment, bytes, size + RECORD_HEAD_BYTES);
  free(bytes);
  meanwhile_read(1, cut_record, &files);
  side_start(&side, &folder);
  side_settle(&side);
  assert_true(meanwhile_happened());
  assert_int_equal(file_size(&files, SUBFOLDER_PUZZLES, first_segment), size);
  assert_int_equal(side_damaged(&side), 0);
  side_wait_for_scan(&side);
  side_assert_kept(&side, 1);
  store_folder_deinit(&files);
  stop_one(&folder, &side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cleared_between),         cmocka_unit_test(test_forgotten_between),
      cmocka_unit_test(test_swept_between),           cmocka_unit_test(test_no_memory_to_take_over),
      cmocka_unit_test(test_shortened_while_looking),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
