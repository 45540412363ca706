/* The memory of a solve is there for the next, and gone when none came in time, by a clock that is set here. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <uv.h>

#include "daemon/solves/memory.h"
#include "solver/solve.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"
#include "tests/support/wrap.h"

/* Looks come four times within that, of the real clock. */
enum { KEEP_MS = 20, STAR = 4000, PERIODS_MAX = 1000 };

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_uint_fast64_t now_ms;
  sem_t looked; /* posted after each look */
} tested;

/* Wrapped at link time. */
uint64_t __wrap_uv_now(const uv_loop_t *loop);
WRAPPED(bool, memory_trim, struct memory *memory, uint64_t now_ms);

uint64_t __wrap_uv_now(const uv_loop_t *loop)
{
  (void)loop;
  return atomic_load(&tested.now_ms);
}

bool __wrap_memory_trim(struct memory *memory, uint64_t now_ms)
{
  bool left = __real_memory_trim(memory, now_ms);
  sem_post(&tested.looked);
  return left;
}

/* From now on: the first may have begun before. */
static void wait_for_a_look(void)
{
  while (sem_trywait(&tested.looked) == 0)
    continue;
  sem_wait(&tested.looked);
  sem_wait(&tested.looked);
}

static void solve_star(void)
{
  struct buffer solve = solve_text(STAR, add_star, "");
  daemon_thread_expect(&tested.daemon, solve.data, "solve_us");
  buffer_deinit(&solve);
}

static void expect_status_to_say(uint64_t kept_bytes)
{
  char said[64];
  snprintf(said, sizeof said, "\"kept_bytes\":%llu,", (unsigned long long)kept_bytes);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"status\"}\n", said);
}

static void test_kept_for_its_time(void **state)
{
  (void)state;
  solve_star();
  uint64_t kept_bytes = solve_kept_bytes();
  assert_true(kept_bytes > 0);
  wait_for_a_look();
  wait_for_a_look();
  assert_int_equal(solve_kept_bytes(), kept_bytes);
  expect_status_to_say(kept_bytes);
}

static void test_given_back_with_nobody_there(void **state)
{
  (void)state;
  solve_star();
  for (int period = 0; solve_kept_bytes() > 0; period++) {
    if (period == PERIODS_MAX)
      fail_msg("%llu bytes are kept for ever", (unsigned long long)solve_kept_bytes());
    atomic_fetch_add(&tested.now_ms, KEEP_MS);
    wait_for_a_look();
  }
}

static void test_nothing_kept_where_not_wanted(void **state)
{
  (void)state;
  solve_star();
  assert_int_equal(solve_kept_bytes(), 0);
  expect_status_to_say(0);
}

static int start(void **state, uint64_t keep_ms)
{
  sem_init(&tested.looked, 0, 0);
  atomic_store(&tested.now_ms, 0);
  tested.limits = daemon_limits_default;
  tested.limits.keep_ms = keep_ms;
  tested.daemon.limits = &tested.limits;
  return daemon_thread_setup(state);
}

static int start_keeping(void **state)
{
  return start(state, KEEP_MS);
}

static int start_keeping_nothing(void **state)
{
  return start(state, 0);
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  solve_drop_memory();
  sem_destroy(&tested.looked);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(kept_for_its_time, start_keeping, stop),
      DAEMON_TEST(given_back_with_nobody_there, start_keeping, stop),
      DAEMON_TEST(nothing_kept_where_not_wanted, start_keeping_nothing, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
