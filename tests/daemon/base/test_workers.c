/* Threads that run jobs in the order they came, hand each back once, and give back memory for the loop. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/workers.h"
#include "tests/daemon/case.h"
#include "tests/support/wrap.h"

enum { THREADS = 2, JOBS = 100, DAY_S = 86400, LONG_S = 3600 };

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
  time_t jumped_s; /* the clock that people set shows so much more than it is */
} tested;

WRAPPED(int, clock_gettime, clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
  int result = __real_clock_gettime(clock, now);
  if (clock == CLOCK_REALTIME)
    now->tv_sec += tested.jumped_s;
  return result;
}

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

CASE(each_is_handed_back_once_in_turn)
{
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
CASE(a_pool_that_goes_hands_everything_back)
{
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

/* For the rest of the process. */
static void run_hung(struct job *job)
{
  (void)job;
  sem_post(&tested.begun);
  for (;;)
    pause();
}

/* Whatever the time of day. One that hangs is given up. */
CASE(a_pool_that_may_hang_is_waited_for)
{
  static struct workers *given_up; /* its threads' from then on */
  static struct job hung = {.run = run_hung, .done = on_done};
  tested.jumped_s = -DAY_S;
  start_with(THREADS);
  submit(0);
  sem_wait(&tested.begun);
  assert_true(workers_free_within(tested.workers, LONG_S));
  assert_int_equal(tested.done_count, 1);
  assert_true(tested.jobs[0].was_stopped);

  tested.jumped_s = DAY_S;
  start_with(1);
  given_up = tested.workers;
  workers_submit(given_up, &hung);
  sem_wait(&tested.begun);
  assert_false(workers_free_within(given_up, 0));
  assert_int_equal(tested.done_count, 1);
}

static void free_thing(void *thing)
{
  *(unsigned *)thing += 1;
  tested.freed_by = pthread_self();
}

CASE(small_things_are_freed_at_once_and_large_ones_elsewhere)
{
  start_with(1);
  free_later(tested.workers, free_thing, &tested.freed, FREE_LATER_BYTES - 1);
  assert_int_equal(tested.freed, 1);
  assert_true(pthread_equal(tested.freed_by, pthread_self()));
  free_later(tested.workers, free_thing, &tested.freed, FREE_LATER_BYTES);
  submit(0);
  sem_post(&tested.let_go);
  collect_until(&tested.done_count, 1);
  assert_int_equal(tested.freed, 2);
  assert_false(pthread_equal(tested.freed_by, pthread_self()));
  workers_free(tested.workers);
}

/* Also what is still to be freed when the pool goes, and what comes after. */
CASE(nothing_is_left_over)
{
  start_with(1);
  submit(0);
  sem_wait(&tested.begun);
  free_later(tested.workers, free_thing, &tested.freed, FREE_LATER_BYTES);
  workers_free(tested.workers);
  assert_int_equal(tested.freed, 1);
  free_later(NULL, free_thing, &tested.freed, FREE_LATER_BYTES);
  assert_int_equal(tested.freed, 2);
}

static int start(void **state)
{
  (void)state;
  tested.done_count = tested.freed = 0;
  tested.jumped_s = 0;
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
      cmocka_unit_test_setup_teardown(test_a_pool_that_may_hang_is_waited_for, start, stop),
      cmocka_unit_test_setup_teardown(test_small_things_are_freed_at_once_and_large_ones_elsewhere,
                                      start, stop),
      cmocka_unit_test_setup_teardown(test_nothing_is_left_over, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
