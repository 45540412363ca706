/* Two threads: steps that both work on. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/engine/thread_pair.h"

enum { PIECES = 10000, ROUNDS = 5000 };

static struct thread_pair pair;
static atomic_uint pieces_done[PIECES];

static void do_piece(void *context, unsigned thread, uint32_t piece)
{
  assert_null(context);
  assert_true(thread < 2);
  atomic_fetch_add(&pieces_done[piece], 1);
}

static void *retire_at_once(void *context)
{
  (void)context;
  thread_pair_retire(&pair, 1);
  return NULL;
}

static void test_each_piece_once(void **state)
{
  (void)state;
  pthread_t other;
  thread_pair_init(&pair, PAIR_BUSY);
  assert_int_equal(pthread_create(&other, NULL, retire_at_once, NULL), 0);
  for (unsigned step = 1; step <= 100; step++) {
    thread_pair_step(&pair, 0, do_piece, NULL, PIECES);
    for (unsigned piece = 0; piece < PIECES; piece++)
      assert_int_equal(atomic_load(&pieces_done[piece]), step);
  }
  thread_pair_retire(&pair, 0);
  assert_int_equal(pthread_join(other, NULL), 0);
  thread_pair_deinit(&pair);
}

static void *help_at_once(void *context)
{
  (void)context;
  thread_pair_help(&pair, 1);
  return NULL;
}

struct late {
  pthread_t other;
  atomic_uint helped; /* pieces by the other thread */
};

/* The other thread is first heard of when the step has begun. */
static void do_piece_and_wait_for_help(void *context, unsigned thread, uint32_t piece)
{
  struct late *late = context;
  if (thread == 1)
    atomic_fetch_add(&late->helped, 1);
  if (thread == 1 || piece > 0)
    return;
  assert_int_equal(pthread_create(&late->other, NULL, help_at_once, NULL), 0);
  while (atomic_load(&late->helped) == 0)
    sched_yield();
}

static void test_help_that_comes_late_joins_the_step(void **state)
{
  (void)state;
  struct late late = {0};
  thread_pair_init(&pair, PAIR_IDLE);
  thread_pair_step(&pair, 0, do_piece_and_wait_for_help, &late, PIECES);
  thread_pair_retire(&pair, 0);
  assert_int_equal(pthread_join(late.other, NULL), 0);
  assert_true(atomic_load(&late.helped) > 0);
  thread_pair_deinit(&pair);
}

static void test_help_that_comes_too_late_is_dismissed(void **state)
{
  (void)state;
  pthread_t other;
  thread_pair_init(&pair, PAIR_IDLE);
  thread_pair_retire(&pair, 0);
  assert_int_equal(pthread_create(&other, NULL, help_at_once, NULL), 0);
  assert_int_equal(pthread_join(other, NULL), 0);
  thread_pair_deinit(&pair);
}

/* The other falls asleep at about the time that it is told to go home. */
static void test_no_thread_sleeps_on(void **state)
{
  (void)state;
  pthread_t other;
  for (unsigned round = 0; round < ROUNDS; round++) {
    thread_pair_init(&pair, PAIR_BUSY);
    assert_int_equal(pthread_create(&other, NULL, retire_at_once, NULL), 0);
    for (volatile unsigned wait = round % 64 * 1000; wait; wait--)
      ;
    thread_pair_retire(&pair, 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    thread_pair_deinit(&pair);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_piece_once),
      cmocka_unit_test(test_help_that_comes_late_joins_the_step),
      cmocka_unit_test(test_help_that_comes_too_late_is_dismissed),
      cmocka_unit_test(test_no_thread_sleeps_on),
  };
  return cmocka_run_group_tests_name("thread_pair", tests, NULL, NULL);
}
