/* What the parts of a solve hold together, and large blocks asked for while it is being stopped. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/engine/solving.h"
#include "solver/page_pool.h"

enum { LARGE_BYTES = 2 * PAGES_PIECE_BYTES + 100, SMALL_BYTES = 100 };

static atomic_bool stop;
static struct solve_options options = {.stop = &stop};
static struct solving solving;

static int start(void **state)
{
  (void)state;
  atomic_store(&stop, false);
  solving_init(&solving, &options);
  return 0;
}

static void check_zeroed(size_t bytes)
{
  uint8_t *block = solving_alloc(&solving, bytes);
  assert_non_null(block);
  assert_int_equal((uintptr_t)block % 64, 0);
  assert_int_equal(atomic_load(&solving.held_bytes), bytes);
  for (size_t at = 0; at < bytes; at++)
    assert_int_equal(block[at], 0);
  solving_free(&solving, block, bytes);
  assert_int_equal(atomic_load(&solving.held_bytes), 0);
}

static void test_blocks_are_zeroed_and_held(void **state)
{
  (void)state;
  check_zeroed(SMALL_BYTES);
  check_zeroed(LARGE_BYTES);
}

static void test_large_block_when_stopped(void **state)
{
  (void)state;
  atomic_store(&stop, true);
  assert_null(solving_alloc(&solving, LARGE_BYTES));
  assert_int_equal(solving.error, -ECANCELED);
  assert_int_equal(atomic_load(&solving.held_bytes), 0);
}

/* What stopped it first is what it failed with. */
static void test_large_block_when_failed(void **state)
{
  (void)state;
  solving_fail(&solving, -ENOMEM);
  atomic_store(&stop, true);
  assert_null(solving_alloc(&solving, LARGE_BYTES));
  assert_int_equal(solving.error, -ENOMEM);
  assert_int_equal(atomic_load(&solving.held_bytes), 0);
}

enum { ROUNDS = 2000000, BOUND_BYTES = 1000 };

/* Clears the failures that it causes. */
static void *hold_too_much(void *argument)
{
  atomic_uint *rounds = argument;
  for (; atomic_load(rounds) < ROUNDS; atomic_fetch_add(rounds, 1)) {
    solving_hold(&solving, BOUND_BYTES);
    atomic_store(&solving.error, 0);
  }
  return NULL;
}

/* What one thread asks for in vain is never in the way of what another has a right to. */
static void test_bound_with_two_threads(void **state)
{
  (void)state;
  pthread_t other;
  atomic_uint rounds = 0;
  unsigned refused = 0;
  options.max_bytes = BOUND_BYTES;
  assert_int_equal(solving_hold(&solving, 1), 0);
  assert_int_equal(pthread_create(&other, NULL, hold_too_much, &rounds), 0);
  while (atomic_load(&rounds) < ROUNDS) {
    if (solving_hold(&solving, BOUND_BYTES - 1) == 0)
      solving_release(&solving, BOUND_BYTES - 1);
    else
      refused++;
  }
  assert_int_equal(pthread_join(other, NULL), 0);
  options.max_bytes = 0;
  assert_int_equal(refused, 0);
  assert_int_equal(atomic_load(&solving.held_bytes), 1);
}

static void test_more_bytes_than_can_be_counted(void **state)
{
  (void)state;
  assert_int_equal(solving_hold(&solving, 1), 0);
  assert_int_equal(solving_hold(&solving, UINT64_MAX), -EFBIG);
  assert_int_equal(solving.error, -EFBIG);
}

struct reporter {
  pthread_t thread;
  uint32_t first;
  atomic_uint *reporting;
};

static void *report_layers(void *argument)
{
  const struct reporter *reporter = argument;
  for (uint32_t layer = reporter->first; layer < 4 * ROUNDS; layer += 2)
    solving_layer(&solving, layer);
  atomic_fetch_sub(reporter->reporting, 1);
  return NULL;
}

/* Two threads report layers, neither of them in step with the other. */
static void test_layers_never_step_back(void **state)
{
  (void)state;
  atomic_uint reporting = 2;
  struct reporter reporters[2] = {{.first = 0, .reporting = &reporting},
                                  {.first = 1, .reporting = &reporting}};
  atomic_uint_fast32_t layers = 7;
  struct solve_options asking = {.layers = &layers};
  solving_init(&solving, &asking);
  assert_int_equal(atomic_load(&layers), 0);
  for (unsigned at = 0; at < 2; at++)
    assert_int_equal(pthread_create(&reporters[at].thread, NULL, report_layers, &reporters[at]), 0);
  bool stepped_back = false;
  for (uint_fast32_t seen = 0, now; atomic_load(&reporting); seen = now) {
    now = atomic_load(&layers);
    stepped_back |= now < seen;
  }
  for (unsigned at = 0; at < 2; at++)
    assert_int_equal(pthread_join(reporters[at].thread, NULL), 0);
  assert_false(stepped_back);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_blocks_are_zeroed_and_held, start),
      cmocka_unit_test_setup(test_large_block_when_stopped, start),
      cmocka_unit_test_setup(test_large_block_when_failed, start),
      cmocka_unit_test_setup(test_bound_with_two_threads, start),
      cmocka_unit_test_setup(test_more_bytes_than_can_be_counted, start),
      cmocka_unit_test_setup(test_layers_never_step_back, start),
  };
  return cmocka_run_group_tests_name("solving", tests, NULL, NULL);
}
