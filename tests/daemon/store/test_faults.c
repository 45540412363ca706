/*
 * A disk that fails, is full or hangs: answers go out in time, and what was to be kept is kept when it
 * works again.
 */
#include <errno.h>
#include <time.h>

#include "daemon/store/shared.h"
#include "tests/daemon/store/bad_disk.h"
#include "tests/daemon/store/side.h"

enum { OPERATIONS_MIN = 30, OPERATIONS_MAX = 2000, PUZZLES = 6 };

static unsigned lines_with(const struct side *side, const char *words)
{
  unsigned count = 0;
  for (const char *at = side->log; (at = strstr(at, words)); at++)
    count++;
  return count;
}

/* Time goes by for the requests alone. */
static void let_pass(struct side *side, uint64_t ms)
{
  store_expire(side->store, shared_now_ms() + ms);
}

static void wait_until_it_hangs(void)
{
  while (!bad_disk_has_hit())
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Keeps, finds, forgets and restarts, whatever fails; the puzzles are on disk or wait for it. */
static void live(struct side *side)
{
  struct asked asked[PUZZLES];
  side_open(side);
  for (uint64_t seed = 0; seed < PUZZLES; seed++)
    if (side_begin_keep(side, seed, &asked[seed]) == 0)
      assert_in_set(-side_wait(side, &asked[seed]), ((unsigned long[]){0, EAGAIN}), 2);
  for (uint64_t seed = 0; seed < PUZZLES; seed++)
    side_try_find(side, seed);
  side_try_forget(side, 100);
}

static void test_each_operation_fails_once(void **state)
{
  (void)state;
  bool failed = true;
  long nth = 0;
  for (; failed; nth++) {
    struct side side;
    side_init(&side);
    side_keep(&side, 100);
    side_close(&side);
    bad_disk_fail_once(nth);
    live(&side);
    failed = bad_disk_repair();
    side_wait_for_condition(&side, STORE_CONDITION_ON);
    while (side_numbers(&side).unkept > 0)
      side_pump(&side);
    side_reopen(&side);
    assert_int_equal(side_has_of(&side, 0, PUZZLES), PUZZLES);
    assert_int_equal(side_numbers(&side).damaged, 0);
    side_deinit(&side);
  }
  printf("# %ld operations\n", nth);
  assert_in_range(nth, OPERATIONS_MIN, OPERATIONS_MAX);
}

static void test_full_disk(void **state)
{
  (void)state;
  struct side side;
  struct asked asked;
  side_init(&side);
  side_keep(&side, 1);
  bad_disk_fail_writes(ENOSPC);
  assert_int_equal(side_begin_keep(&side, 2, &asked), 0);
  assert_int_equal(side_wait(&side, &asked), -EAGAIN);
  assert_int_equal(side_begin_keep(&side, 3, &asked), -EAGAIN);
  assert_int_equal(side_numbers(&side).condition, STORE_CONDITION_FAILING);
  assert_string_equal(side_numbers(&side).error, "No space left on device");
  assert_int_equal(side_numbers(&side).unkept, 2);
  assert_int_equal(side_has_of(&side, 1, 3), 3);
  assert_int_equal(side_try_forget(&side, 1), -ENOSPC);
  nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); /* it is tried again in vain */
  store_collect(side.store);
  assert_int_equal(lines_with(&side, "cannot be written"), 1);
  assert_int_equal(lines_with(&side, "can be written again"), 0);
  assert_true(bad_disk_repair());
  side_wait_for_condition(&side, STORE_CONDITION_ON);
  assert_int_equal(lines_with(&side, "can be written again"), 1);
  side_keep(&side, 4);
  side_leave(&side); /* at once: all was written */
  side_open(&side);
  assert_int_equal(side_has_of(&side, 1, 4), 4);
  assert_int_equal(side_forget(&side, 1), 1);
  side_deinit(&side);
}

/* Who drains while the disk is full does not wait for it. */
static void test_drains_on_a_full_disk(void **state)
{
  (void)state;
  struct side side;
  struct asked asked;
  side_init(&side);
  side.options.retry_ms = UINT64_MAX;
  side_reopen(&side);
  side_keep(&side, 1);
  bad_disk_fail_writes(ENOSPC);
  assert_int_equal(side_begin_keep(&side, 2, &asked), 0);
  side_close(&side);
  assert_true(asked.done);
  assert_true(bad_disk_repair());
  side_open(&side);
  assert_true(side_has(&side, 1));
  assert_false(side_has(&side, 2));
  side_deinit(&side);
}

static void test_hanging_disk(void **state)
{
  (void)state;
  struct side side;
  struct asked asked[3];
  side_init(&side);
  side_keep(&side, 1);
  bad_disk_hang(false);
  assert_int_equal(side_begin_keep(&side, 2, &asked[0]), 0);
  wait_until_it_hangs();
  assert_true(store_is_waiting(side.store));
  let_pass(&side, STORE_KEEP_WAIT_MS / 2);
  assert_false(asked[0].done);
  let_pass(&side, STORE_KEEP_WAIT_MS);
  assert_true(asked[0].done);
  assert_int_equal(asked[0].request.result, -EAGAIN);
  assert_int_equal(side_begin_keep(&side, 3, &asked[1]), -EAGAIN); /* no wait for each one */
  assert_int_equal(side_has_of(&side, 1, 3), 3);
  assert_true(store_is_waiting(side.store));
  for (int i = 0; i < 3; i++)
    let_pass(&side, 3000);
  assert_int_equal(lines_with(&side, "does not answer"), 1);
  assert_false(store_is_waiting(side.store));
  assert_int_equal(side_numbers(&side).condition, STORE_CONDITION_FAILING);
  assert_true(bad_disk_repair());
  while (side_numbers(&side).unkept > 0)
    side_pump(&side);
  side_wait_for_condition(&side, STORE_CONDITION_ON);
  assert_int_equal(lines_with(&side, "answers again"), 1);
  side_keep(&side, 4);
  side_reopen(&side);
  assert_int_equal(side_has_of(&side, 1, 4), 4);
  side_deinit(&side);
}

/* Who waits for what only the disk knows is told after a while, and nothing of it is lost. */
static void test_hanging_reads(void **state)
{
  (void)state;
  struct side side;
  struct asked asked;
  side_init(&side);
  side_keep(&side, 1);
  side_reopen(&side);
  side_wait_for_count(&side, 1);
  bad_disk_hang(true);
  side_begin_find(&side, 1, &asked);
  let_pass(&side, STORE_ANSWER_WAIT_MS / 2);
  assert_false(asked.done);
  let_pass(&side, STORE_ANSWER_WAIT_MS);
  assert_true(asked.done);
  assert_int_equal(asked.request.result, -ETIMEDOUT);
  assert_null(asked.request.arena);
  bad_disk_repair();
  assert_true(side_has(&side, 1));
  side_deinit(&side);
}

/* A daemon that leaves does not wait for a disk that hangs. */
static void test_closes_while_it_hangs(void **state)
{
  (void)state;
  struct side side;
  struct asked asked;
  struct timespec began, ended;
  side_init(&side);
  side_keep(&side, 1);
  bad_disk_hang(false);
  assert_int_equal(side_begin_keep(&side, 2, &asked), 0);
  wait_until_it_hangs();
  clock_gettime(CLOCK_MONOTONIC, &began);
  store_close(side.store);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  assert_int_equal(asked.request.result, -ECANCELED);
  assert_in_range(ended.tv_sec - began.tv_sec, 0, 10);
  assert_int_equal(lines_with(&side, "left as it is"), 1);
  assert_true(bad_disk_repair()); /* its threads end by themselves now */
  side_open(&side);
  assert_true(side_has(&side, 1));
  side_deinit(&side);
}

/* What waits in memory is bounded; what is given up is told. */
static void test_unkept_are_bounded(void **state)
{
  (void)state;
  enum { MORE = 100 };
  struct side side;
  struct store_request request = {0};
  struct id id = {{0}};
  side_init(&side);
  side_keep(&side, 1);
  bad_disk_fail_writes(ENOSPC);
  struct asked asked;
  assert_int_equal(side_begin_keep(&side, 2, &asked), 0);
  assert_int_equal(side_wait(&side, &asked), -EAGAIN);
  for (unsigned i = 1; i < UNKEPT_MAX + MORE; i++) {
    memcpy(id.bytes, &i, sizeof i);
    int result = store_keep(side.store, &request, calloc(1, 10), 10, &id, 3, GAME_GRAPH);
    assert_int_equal(result, i < UNKEPT_MAX ? -EAGAIN : -ENOSPC);
  }
  assert_int_equal(side_numbers(&side).unkept, UNKEPT_MAX);
  assert_int_equal(
      store_keep(side.store, &request, calloc(1, 10), (size_t)2 << 30, &id, 3, GAME_GRAPH), -E2BIG);
  bad_disk_repair();
  while (side_numbers(&side).unkept > 0)
    side_pump(&side);
  store_collect(side.store);
  assert_int_equal(lines_with(&side, "100 puzzles were not kept"), 1);
  side_wait_for_count(&side, UNKEPT_MAX + 1);
  side_deinit(&side);
}

/* Bytes of large puzzles count too, but the first one always fits. */
static void test_unkept_bytes_are_bounded(void **state)
{
  (void)state;
  struct side side;
  struct store_request request = {0};
  struct id id = {{1}}, other = {{2}};
  struct asked asked;
  const size_t large = UNKEPT_BYTES_MAX + 1;
  side_init(&side);
  side_keep(&side, 1);
  bad_disk_fail_writes(ENOSPC);
  assert_int_equal(side_begin_keep(&side, 2, &asked), 0);
  assert_int_equal(side_wait(&side, &asked), -EAGAIN);
  assert_int_equal(store_keep(side.store, &request, malloc(large), large, &id, 3, GAME_GRAPH),
                   -ENOSPC);
  side_leave(&side);
  bad_disk_repair();
  side_open(&side);
  side_keep(&side, 3);
  bad_disk_hang(false);
  assert_int_equal(
      store_keep(side.store, &asked.request, calloc(1, large), large, &id, 3, GAME_GRAPH), 0);
  assert_int_equal(store_keep(side.store, &request, malloc(10), 10, &other, 3, GAME_GRAPH),
                   -ENOSPC);
  asked.done = false;
  bad_disk_repair();
  assert_int_equal(side_wait(&side, &asked), 0);
  side_wait_for_count(&side, 3);
  side_deinit(&side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_operation_fails_once),
      cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_drains_on_a_full_disk),
      cmocka_unit_test(test_hanging_disk),
      cmocka_unit_test(test_hanging_reads),
      cmocka_unit_test(test_closes_while_it_hangs),
      cmocka_unit_test(test_unkept_are_bounded),
      cmocka_unit_test(test_unkept_bytes_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
