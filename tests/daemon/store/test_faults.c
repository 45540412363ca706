/*
 * A disk that fails, is full or hangs, and memory that lacks: answers go out in time, and what was to be
 * kept is kept when all works again.
 */
#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "solver/packed.h"
#include "tests/daemon/store/bad_disk.h"
#include "tests/daemon/store/side.h"
#include "tests/support/failing_alloc.h"

enum { OPERATIONS_MIN = 30, OPERATIONS_MAX = 2000, ALLOCATIONS_MAX = 100, PUZZLES = 6 };

/* Keeps, finds, forgets and restarts, whatever fails; the puzzles are on disk or wait for it. */
static void test_each_operation_fails_once(void **state)
{
  struct side *side = *state;
  struct asked asked[PUZZLES];
  uint64_t count;
  bool failed = true;
  long nth = 0;
  for (; failed; nth++) {
    side_keep(side, 100, 1);
    side_close(side);
    bad_disk_spoil(BAD_DISK_FAILS_ONCE, nth);
    side_open(side);
    for (uint64_t seed = 0; seed < PUZZLES; seed++)
      if (side_begin_keep(side, seed, &asked[seed]) == 0)
        assert_in_set(-side_wait(side, &asked[seed]), ((unsigned long[]){0, EAGAIN}), 2);
    for (uint64_t seed = 0; seed < PUZZLES; seed++)
      side_find(side, seed, ID_TEXT, &count);
    side_forget(side, 100);
    failed = bad_disk_repair();
    SIDE_PUMP_UNTIL(side, side_numbers(side).condition == STORE_CONDITION_ON &&
                              side_numbers(side).unkept == 0);
    side_reopen(side);
    assert_int_equal(side_has(side, 0, PUZZLES), PUZZLES);
    assert_int_equal(side_numbers(side).damaged, 0);
    side_close(side);
    side_shell(side, "rm -r \"$F\"");
    side_open(side);
  }
  printf("# %ld operations\n", nth);
  assert_in_range(nth, OPERATIONS_MIN, OPERATIONS_MAX);
}

static void fill_disk(struct side *side)
{
  struct asked asked;
  side_keep(side, 1, 1);
  bad_disk_spoil(BAD_DISK_FULL, 0);
  assert_int_equal(side_begin_keep(side, 2, &asked), 0);
  assert_int_equal(side_wait(side, &asked), -EAGAIN);
}

static void test_full_disk(void **state)
{
  struct side *side = *state;
  struct asked asked;
  fill_disk(side);
  assert_int_equal(side_begin_keep(side, 3, &asked), -EAGAIN);
  assert_int_equal(side_numbers(side).condition, STORE_CONDITION_FAILING);
  assert_string_equal(side_numbers(side).error, "No space left on device");
  assert_int_equal(side_numbers(side).unkept, 2);
  assert_int_equal(side_has(side, 1, 3), 3);
  assert_int_equal(side_forget(side, 1), -ENOSPC);
  for (int i = 0; i < 5; i++)
    side_pump(side); /* it is tried again in vain */
  assert_int_equal(side_says(side, "cannot be written"), 1);
  assert_int_equal(side_says(side, "can be written again"), 0);
  assert_true(bad_disk_repair());
  SIDE_PUMP_UNTIL(side, side_numbers(side).condition == STORE_CONDITION_ON);
  assert_int_equal(side_says(side, "can be written again"), 1);
  side_keep(side, 4, 1);
  store_close(side->store); /* at once: all was written */
  side_open(side);
  assert_int_equal(side_has(side, 1, 4), 4);
  assert_int_equal(side_forget(side, 1), 1);
}

/* Who drains while the disk is full tries what waits and does not wait for it. */
static void test_drains_on_a_full_disk(void **state)
{
  struct side *side = *state;
  side->options.retry_ms = 1ull << 40;
  for (uint64_t repaired = 0; repaired < 2; repaired++) {
    side_reopen(side);
    fill_disk(side);
    if (repaired)
      bad_disk_repair();
    side_close(side);
    bad_disk_repair();
    side_open(side);
    assert_int_equal(side_has(side, 1, 2), 1 + repaired);
  }
}

static void test_hanging_disk(void **state)
{
  struct side *side = *state;
  struct asked asked[3];
  side_keep(side, 1, 1);
  bad_disk_spoil(BAD_DISK_HANGS, 0);
  assert_int_equal(side_begin_keep(side, 2, &asked[0]), 0);
  assert_true(side_tend(side, 0) < UINT64_MAX);
  bad_disk_wait();
  side_tend(side, side->options.wait_ms / 4);
  assert_false(asked[0].done);
  side_tend(side, side->options.wait_ms);
  assert_true(asked[0].done);
  assert_int_equal(asked[0].request.result, -EAGAIN);
  assert_int_equal(side_begin_keep(side, 3, &asked[1]), -EAGAIN); /* no wait for each one */
  assert_int_equal(side_has(side, 1, 3), 3);
  struct id id = id_of(1);
  assert_int_equal(store_forget(side->store, side_ask(&asked[2]), &id), 0);
  assert_true(side_tend(side, 0) < UINT64_MAX);
  assert_false(asked[2].done);
  assert_true(side_tend(side, 3 * side->options.wait_ms) == UINT64_MAX);
  assert_int_equal(asked[2].request.result, -ETIMEDOUT);
  assert_int_equal(side_says(side, "the disk does not answer"), 1);
  assert_int_equal(side_numbers(side).condition, STORE_CONDITION_FAILING);
  assert_string_equal(side_numbers(side).error, "the disk does not answer");
  assert_true(bad_disk_repair());
  SIDE_PUMP_UNTIL(side, side_numbers(side).unkept == 0);
  assert_int_equal(side_numbers(side).condition, STORE_CONDITION_ON);
  assert_int_equal(side_says(side, "can be written again"), 1);
  side_keep(side, 4, 1);
  side_reopen(side);
  assert_int_equal(side_has(side, 1, 4), 3); /* it was forgotten later */
}

static void test_waits_for_ever_where_that_is_asked_for(void **state)
{
  struct side *side = *state;
  struct asked asked;
  side->options.wait_ms = 0;
  side_reopen(side);
  side_keep(side, 1, 1);
  bad_disk_spoil(BAD_DISK_HANGS, 0);
  assert_int_equal(side_begin_keep(side, 2, &asked), 0);
  side_tend(side, 0);
  bad_disk_wait();
  assert_true(side_tend(side, 3600000) == UINT64_MAX);
  assert_false(asked.done);
  assert_true(bad_disk_repair());
  assert_int_equal(side_wait(side, &asked), 0);
  assert_int_equal(side_has(side, 1, 2), 2);
}

/* As after a loop that stood still: what was done meanwhile is not overdue. */
static void test_a_late_look_finds_what_is_done(void **state)
{
  struct side *side = *state;
  struct asked asked;
  side_keep(side, 1, 1);
  bad_disk_spoil(BAD_DISK_HANGS, 0);
  assert_int_equal(side_begin_keep(side, 2, &asked), 0);
  side_tend(side, 0);
  bad_disk_wait();
  while (sem_trywait(&side->woken) == 0)
    continue;
  bad_disk_repair();
  sem_wait(&side->woken); /* by the end of that turn alone */
  side_tend(side, 2 * side->options.wait_ms);
  assert_true(asked.done);
  assert_int_equal(asked.request.result, 0);
}

/* Who waits for what only the disk knows is told after a while, and nothing of it is lost. */
static void test_hanging_reads(void **state)
{
  struct side *side = *state;
  struct asked asked;
  char text[ID_TEXT + 1];
  struct id id = id_of(1);
  id_format(&id, text);
  side_keep(side, 1, 1);
  side_reopen(side);
  side_settle(side);
  bad_disk_spoil(BAD_DISK_HANGS_ALL, 0);
  assert_int_equal(store_find(side->store, side_ask(&asked), text), 0);
  side_tend(side, 0);
  assert_false(asked.done);
  side_tend(side, STORE_ANSWER_WAIT_MS);
  assert_true(asked.done);
  assert_int_equal(asked.request.result, -ETIMEDOUT);
  assert_null(asked.request.arena);
  bad_disk_repair();
  assert_int_equal(side_has(side, 1, 1), 1);
}

/* A daemon that leaves does not wait for a disk that hangs: its threads end with its process. */
static void test_closes_while_it_hangs(void **state)
{
  struct side *side = *state;
  side_keep(side, 1, 1);
  side_close(side);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    struct asked asked;
    alarm(900);
    side_open(side);
    side_settle(side);
    bad_disk_spoil(BAD_DISK_HANGS, 0);
    side_begin_keep(side, 2, &asked);
    side_tend(side, 0);
    bad_disk_wait();
    store_close(side->store);
    _exit(asked.request.result == -ECANCELED && side_says(side, "left as it is") == 1 ? 7 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  side_open(side);
  assert_int_equal(side_has(side, 1, 1), 1);
}

/* However soon that is asked for, a disk that fails has a pause. */
static void test_retries_after_a_pause(void **state)
{
  enum { PAUSE_MS = 20 };
  struct side *side = *state;
  struct timespec now;
  side->options.retry_ms = 0;
  side_reopen(side);
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  fill_disk(side);
  assert_in_range(store_tend(side->store, now_ms), now_ms + PAUSE_MS, UINT64_MAX - 1);
  bad_disk_repair();
}

/* What waits in memory for a bad disk is bounded, in puzzles and in bytes; for a good one all may wait. */
static void test_unkept_are_bounded(void **state)
{
  struct side *side = *state;
  struct store_request request = {0};
  struct id id = {{0}};
  const size_t large = STORE_UNKEPT_BYTES_MAX + 1;
  fill_disk(side);
  assert_int_equal(store_keep(side->store, &request, malloc(large), large, &id, 3, GAME_GRAPH),
                   -ENOSPC);
  for (unsigned i = 1; i < STORE_UNKEPT_MAX + 100; i++) {
    memcpy(id.bytes, &i, sizeof i);
    int result = store_keep(side->store, &request, calloc(1, 10), 10, &id, 3, GAME_GRAPH);
    assert_int_equal(result, i < STORE_UNKEPT_MAX ? -EAGAIN : -ENOSPC);
  }
  assert_int_equal(side_numbers(side).unkept, STORE_UNKEPT_MAX);
  assert_int_equal(
      store_keep(side->store, &request, calloc(1, 10), (size_t)2 << 30, &id, 3, GAME_GRAPH),
      -ENOSPC);
  bad_disk_repair();
  SIDE_PUMP_UNTIL(side, side_numbers(side).unkept == 0);
  side_settle(side);
  assert_int_equal(side_numbers(side).puzzles, STORE_UNKEPT_MAX + 1);
  struct asked asked, more;
  assert_int_equal(
      store_keep(side->store, side_ask(&asked), calloc(1, large), large, &id, 3, GAME_GRAPH), 0);
  assert_int_equal(side_begin_keep(side, 1, &more), 0);
  side_wait(side, &asked);
  side_wait(side, &more);
  SIDE_PUMP_UNTIL(side, side_numbers(side).unkept == 0);
}

/* Without memory a request is refused at once; nothing leaks or breaks, and nobody waits for ever. */
static void test_no_memory(void **state)
{
  struct side *side = *state;
  struct id id = id_of(2);
  char digits[ID_TEXT + 1];
  id_format(&id, digits);
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    struct asked asked[5];
    int results[5];
    assert_in_range(nth, 0, ALLOCATIONS_MAX);
    for (int i = 0; i < 5; i++)
      side_ask(&asked[i]);
    struct arena *arena = puzzle_of(2, NULL);
    size_t length = arena_packed_bytes(arena);
    uint8_t *packed = malloc(length);
    assert_non_null(packed);
    arena_pack(arena, packed);
    arena_free(arena);
    failing_alloc_arm(nth);
    results[0] = store_keep(side->store, &asked[0].request, packed, length, &id, 20, GAME_GRAPH);
    results[1] = store_find(side->store, &asked[1].request, digits);
    results[2] = store_list(side->store, &asked[2].request, 10);
    results[3] = store_forget(side->store, &asked[3].request, &id);
    results[4] = store_clear(side->store, &asked[4].request);
    store_touch(side->store, &id);
    failed = failing_alloc_disarm();
    for (int i = 0; i < 5; i++) {
      if (results[i] == 0)
        assert_in_set(-side_wait(side, &asked[i]), ((unsigned long[]){0, EAGAIN}), 2);
      else
        assert_int_equal(results[i], -ENOMEM);
      free(asked[i].request.rows);
      arena_free(asked[i].request.arena);
    }
    side_close(side);
    failing_alloc_arm(nth);
    int opened = store_open(&side->options, &side->store);
    failed |= failing_alloc_disarm();
    if (opened < 0)
      side_open(side);
  }
  side_keep(side, 1, 1);
  assert_int_equal(side_has(side, 1, 1), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      STORE_TEST(test_each_operation_fails_once),
      STORE_TEST(test_full_disk),
      STORE_TEST(test_drains_on_a_full_disk),
      STORE_TEST(test_waits_for_ever_where_that_is_asked_for),
      STORE_TEST(test_hanging_disk),
      STORE_TEST(test_a_late_look_finds_what_is_done),
      STORE_TEST(test_hanging_reads),
      STORE_TEST(test_closes_while_it_hangs),
      STORE_TEST(test_retries_after_a_pause),
      STORE_TEST(test_unkept_are_bounded),
      STORE_TEST(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
