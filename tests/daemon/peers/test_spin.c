/* The rule that decides how to wait, and a loop that goes by it. */

#include "daemon/peers/spin.h"
#include "tests/daemon/case.h"

enum { MOST_US = 100, MOST_NS = MOST_US * 1000 };

static uv_loop_t loop;
static struct spin spin;
static unsigned solves;
static uv_async_t async; /* something that the loop waits for */

static int start_with(uint64_t most_us)
{
  solves = 0;
  if (uv_loop_init(&loop) < 0 || uv_async_init(&loop, &async, NULL) < 0)
    return -1;
  spin_init(&spin, &loop, most_us, &solves);
  uv_run(&loop, UV_RUN_NOWAIT);
  return 0;
}

static int start(void **state)
{
  (void)state;
  return start_with(MOST_US);
}

static int start_never(void **state)
{
  (void)state;
  return start_with(0);
}

static void close_handle(uv_handle_t *handle, void *context)
{
  (void)context;
  uv_close(handle, NULL);
}

static int stop(void **state)
{
  (void)state;
  uv_walk(&loop, close_handle, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  return uv_loop_close(&loop);
}

/* Waits of a whole period, some of which are spent awake, each as long as its way takes; how many those were. */
static unsigned awake_of_a_period(uint64_t asleep_ns, uint64_t awake_ns)
{
  unsigned count = 0;
  bool awake = false;
  for (unsigned i = 0; i < SPIN_PERIOD; i++) {
    awake = spin_learn(&spin, awake ? awake_ns : asleep_ns);
    count += awake;
  }
  assert_false(awake);
  return count;
}

CASE(asleep_where_awake_is_not_quicker)
{
  assert_int_equal(awake_of_a_period(10000, 10000), SPIN_SAMPLES);
  assert_int_equal(awake_of_a_period(10000, 8000), SPIN_SAMPLES);
  assert_int_equal(awake_of_a_period(10000, 20000), SPIN_SAMPLES);
}

CASE(asleep_where_peers_are_slow)
{
  assert_int_equal(awake_of_a_period(50 * MOST_NS, 2 * MOST_NS), SPIN_SAMPLES);
}

CASE(measures_anew_each_period)
{
  assert_int_equal(awake_of_a_period(60000, 10000), SPIN_PERIOD - SPIN_SAMPLES);
  assert_int_equal(awake_of_a_period(10000, 60000), SPIN_SAMPLES);
  assert_int_equal(awake_of_a_period(60000, 10000), SPIN_PERIOD - SPIN_SAMPLES);
}

/* Messages that come at once until the loop stays awake for the next. */
static void wake(void)
{
  for (unsigned i = 0; i < SPIN_SAMPLES; i++) {
    uv_run(&loop, UV_RUN_NOWAIT);
    spin_message(&spin);
  }
}

static bool loop_sleeps(void)
{
  return uv_backend_timeout(&loop) != 0;
}

CASE(loop_stays_awake_for_a_while)
{
  uint64_t began_ns = uv_hrtime();
  assert_true(loop_sleeps());
  wake();
  assert_false(loop_sleeps());
  while (!loop_sleeps())
    uv_run(&loop, UV_RUN_NOWAIT);
  assert_true(uv_hrtime() - began_ns >= MOST_NS);
}

CASE(loop_sleeps_while_there_are_solves)
{
  solves = 1;
  wake();
  assert_true(loop_sleeps());
  solves = 0;
  uv_run(&loop, UV_RUN_NOWAIT);
  spin_message(&spin);
  assert_false(loop_sleeps());
  solves = 1;
  uv_run(&loop, UV_RUN_NOWAIT);
  assert_true(loop_sleeps());
}

CASE(never_where_that_is_asked_for)
{
  wake();
  assert_true(loop_sleeps());
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_asleep_where_awake_is_not_quicker, start, stop),
      cmocka_unit_test_setup_teardown(test_asleep_where_peers_are_slow, start, stop),
      cmocka_unit_test_setup_teardown(test_measures_anew_each_period, start, stop),
      cmocka_unit_test_setup_teardown(test_loop_stays_awake_for_a_while, start, stop),
      cmocka_unit_test_setup_teardown(test_loop_sleeps_while_there_are_solves, start, stop),
      cmocka_unit_test_setup_teardown(test_never_where_that_is_asked_for, start_never, stop),
  };
  return cmocka_run_group_tests_name("spin", tests, NULL, NULL);
}
