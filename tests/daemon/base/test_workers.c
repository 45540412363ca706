/* Threads that run jobs in the order they came, hand each back once, and give back memory for the loop. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "daemon/base/free_later.h"

enum { THREADS = 2, JOBS = 100 };

/* A job that runs until it is let go, or told to stop. */
struct held {
  struct job job;
  unsigned ran, done;
  bool was_stopped;
};

static struct {
  struct workers *workers;
  sem_t woken, begun, let_go;
  struct held jobs[JOBS];
  unsigned order[JOBS], done_count;
  pthread_t freed_by; /* the last thing */
  unsigned freed;
  uint64_t given_back_bytes;
} tested;

static void on_woken(void *context)
{
  (void)context;
  sem_post(&tested.woken);
}

static void run_held(struct job *job)
{
  struct held *held = container_of(job, struct held, job);
  sem_post(&tested.begun);
  while (!atomic_load(&job->stop) && sem_trywait(&tested.let_go) != 0)
    continue;
  held->was_stopped = atomic_load(&job->stop);
  held->ran++;
}

static void on_done(struct job *job)
{
  struct held *held = container_of(job, struct held, job);
  held->done++;
  tested.order[tested.done_count++] = (unsigned)(held - tested.jobs);
}

static void submit(unsigned number)
{
  tested.jobs[number].job = (struct job){.run = run_held, .done = on_done};
  workers_submit(tested.workers, &tested.jobs[number].job);
}

static void collect_until(const unsigned *count, unsigned wanted)
{
  while (*count < wanted) {
    sem_wait(&tested.woken);
    workers_collect(tested.workers);
  }
}

static void start_with(unsigned threads)
{
  assert_int_equal(workers_new("test", threads, false, on_woken, NULL, &tested.workers), 0);
}

static void test_each_is_handed_back_once_in_turn(void **state)
{
  (void)state;
  start_with(1);
  for (unsigned number = 0; number < JOBS; number++)
    submit(number);
  sem_wait(&tested.begun);
  struct workers_load load = workers_load(tested.workers);
  assert_int_equal(load.running, 1);
  assert_int_equal(load.queued, JOBS - 1);
  for (unsigned number = 0; number < JOBS; number++)
    sem_post(&tested.let_go);
  collect_until(&tested.done_count, JOBS);
  for (unsigned number = 0; number < JOBS; number++) {
    assert_int_equal(tested.order[number], number);
    assert_int_equal(tested.jobs[number].ran, 1);
    assert_int_equal(tested.jobs[number].done, 1);
  }
  workers_free(tested.workers);
  assert_int_equal(tested.done_count, JOBS);
}

/* What runs is stopped; what waits is handed back without having run. */
static void test_a_pool_that_goes_hands_everything_back(void **state)
{
  (void)state;
  start_with(THREADS);
  for (unsigned number = 0; number < 2 * THREADS; number++)
    submit(number);
  for (unsigned number = 0; number < THREADS; number++)
    sem_wait(&tested.begun);
  workers_free(tested.workers);
  assert_int_equal(tested.done_count, 2 * THREADS);
  for (unsigned number = 0; number < 2 * THREADS; number++) {
    assert_int_equal(tested.jobs[number].ran, number < THREADS);
    assert_int_equal(tested.jobs[number].was_stopped, number < THREADS);
    assert_int_equal(tested.jobs[number].done, 1);
  }
}

static void free_thing(void *thing)
{
  *(unsigned *)thing += 1;
  tested.freed_by = pthread_self();
}

static void on_given_back(void *context, uint64_t bytes)
{
  unsigned *count = context;
  tested.given_back_bytes += bytes;
  ++*count;
}

static void test_small_things_are_freed_at_once(void **state)
{
  unsigned given_back = 0;
  (void)state;
  start_with(1);
  free_later(tested.workers, free_thing, &tested.freed, FREE_LATER_BYTES - 1, on_given_back,
             &given_back);
  assert_int_equal(tested.freed, 1);
  assert_int_equal(given_back, 1);
  assert_int_equal(tested.given_back_bytes, FREE_LATER_BYTES - 1);
  assert_true(pthread_equal(tested.freed_by, pthread_self()));
  workers_free(tested.workers);
}

static void test_large_things_are_freed_by_another_thread(void **state)
{
  unsigned given_back = 0;
  (void)state;
  start_with(1);
  submit(0);
  sem_wait(&tested.begun);
  free_later(tested.workers, free_thing, &tested.freed, FREE_LATER_BYTES, on_given_back,
             &given_back);
  workers_collect(tested.workers);
  assert_int_equal(given_back, 0);
  sem_post(&tested.let_go);
  collect_until(&given_back, 1);
  assert_int_equal(tested.freed, 1);
  assert_false(pthread_equal(tested.freed_by, pthread_self()));
  workers_free(tested.workers);
}

/* Also what is still to be freed when the pool goes, and what comes after. */
static void test_nothing_is_left_over(void **state)
{
  unsigned given_back = 0;
  (void)state;
  start_with(1);
  submit(0);
  sem_wait(&tested.begun);
  free_later(tested.workers, free_thing, &tested.freed, FREE_LATER_BYTES, on_given_back,
             &given_back);
  workers_free(tested.workers);
  assert_int_equal(tested.freed, 1);
  assert_int_equal(given_back, 1);
  free_later(NULL, free_thing, &tested.freed, FREE_LATER_BYTES, NULL, NULL);
  assert_int_equal(tested.freed, 2);
}

static int start(void **state)
{
  (void)state;
  tested.done_count = tested.freed = 0;
  tested.given_back_bytes = 0;
  for (unsigned number = 0; number < JOBS; number++)
    tested.jobs[number] = (struct held){0};
  sem_init(&tested.woken, 0, 0);
  sem_init(&tested.begun, 0, 0);
  return sem_init(&tested.let_go, 0, 0);
}

static int stop(void **state)
{
  (void)state;
  sem_destroy(&tested.woken);
  sem_destroy(&tested.begun);
  return sem_destroy(&tested.let_go);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_each_is_handed_back_once_in_turn, start, stop),
      cmocka_unit_test_setup_teardown(test_a_pool_that_goes_hands_everything_back, start, stop),
      cmocka_unit_test_setup_teardown(test_small_things_are_freed_at_once, start, stop),
      cmocka_unit_test_setup_teardown(test_large_things_are_freed_by_another_thread, start, stop),
      cmocka_unit_test_setup_teardown(test_nothing_is_left_over, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
