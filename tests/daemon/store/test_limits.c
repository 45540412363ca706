/* What is too much or too old goes, the least recently used first, whatever the clock does. */
#include <time.h>

#include "tests/daemon/store/side.h"

enum { DAY_S = 86400 };

time_t __wrap_time(time_t *out);
time_t __real_time(time_t *out);

static _Atomic time_t jump_s; /* of the clock on the wall */

time_t __wrap_time(time_t *out)
{
  time_t now = __real_time(NULL) + jump_s;
  if (out)
    *out = now;
  return now;
}

/* Puzzle i was used i days ago. */
static void fill(struct side *side, uint64_t count)
{
  side_init(side);
  for (uint64_t seed = 0; seed < count; seed++)
    side_keep(side, seed);
  side_close(side);
  side_sql(side, "UPDATE puzzles SET used = used - 86400 * (number - 1)");
}

static void test_too_old(void **state)
{
  (void)state;
  struct side side;
  fill(&side, 10);
  side.options.age_max_days = 0;
  side_open(&side);
  side_reopen(&side);
  side_wait_for_count(&side, 10);
  side.options.age_max_days = 7;
  side_reopen(&side);
  side_wait_for_count(&side, 7);
  assert_int_equal(side_has_of(&side, 0, 7), 7);
  assert_int_equal(side_has_of(&side, 7, 3), 0);
  side_deinit(&side);
}

static void test_too_many(void **state)
{
  (void)state;
  struct side side;
  fill(&side, 10);
  side.options.puzzles_max = 6;
  side_open(&side);
  assert_true(side_has(&side, 9)); /* and is used by that */
  side_keep(&side, 20);
  side_wait_for_count(&side, 6);
  assert_int_equal(side_has_of(&side, 0, 4), 4);
  assert_int_equal(side_has_of(&side, 4, 5), 0);
  assert_true(side_has(&side, 9));
  assert_true(side_has(&side, 20));
  side_reopen(&side);
  side_keep_all(&side, 100, 3000);
  side_wait_for_count(&side, 6);
  side_deinit(&side);
}

static void test_too_many_bytes(void **state)
{
  (void)state;
  struct side side;
  fill(&side, 1500);
  side.options.age_max_days = 0;
  side_open(&side);
  side_wait_for_count(&side, 1500);
  uint64_t bytes = side_numbers(&side).bytes;
  side_close(&side);
  side.options.bytes_max = bytes / 10;
  side_open(&side);
  side_keep(&side, 2000);
  while (side_numbers(&side).bytes > bytes / 10)
    side_keep(&side, 2000);
  uint64_t left = side_numbers(&side).puzzles;
  assert_in_range(left, 140, 160);
  assert_int_equal(side_has_of(&side, 0, 140), 140);
  assert_true(side_has(&side, 2000));
  side_deinit(&side);
}

/* A flipped bit in the totals does not cost all puzzles. */
static void test_wrong_totals(void **state)
{
  (void)state;
  struct side side;
  fill(&side, 100);
  side.options.age_max_days = 0;
  side_sql(&side, "UPDATE totals SET bytes = bytes + (1 << 40), puzzles = 0");
  side_open(&side);
  side_keep(&side, 200);
  side_wait_for_count(&side, 101);
  assert_int_equal(side_has_of(&side, 0, 100), 100);
  side_deinit(&side);
}

/* Ahead by years while it is open: nothing goes for it. Back: what was used in the future is used now. */
static void test_clock_that_jumps(void **state)
{
  (void)state;
  struct side side;
  fill(&side, 10);
  side.options.age_max_days = 30;
  side_open(&side);
  side_keep(&side, 20);
  jump_s = 5000L * DAY_S;
  side_keep(&side, 21);
  side_close(&side); /* looks for what is too old */
  assert_int_equal(side_sql(&side, "SELECT count(*) FROM puzzles"), 12);
  assert_true(side_sql(&side, "SELECT max(used) FROM puzzles") > __real_time(NULL) + DAY_S);
  jump_s = 0;
  side_open(&side);
  side_keep(&side, 22);
  assert_true(side_sql(&side, "SELECT max(used) FROM puzzles") <= __real_time(NULL) + DAY_S);
  jump_s = -8000L * DAY_S;
  side_keep(&side, 23);
  side_reopen(&side);
  assert_int_equal(side_has_of(&side, 0, 10), 10);
  assert_int_equal(side_has_of(&side, 20, 4), 4);
  jump_s = 0;
  side_deinit(&side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_too_old),          cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_too_many_bytes),   cmocka_unit_test(test_wrong_totals),
      cmocka_unit_test(test_clock_that_jumps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
