/* What the parts of a solve hold together, and large blocks asked for while it is being stopped. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/engine/job.h"
#include "solver/pages.h"

enum { LARGE_BYTES = 2 * PAGES_PIECE_BYTES + 100, SMALL_BYTES = 100 };

static atomic_bool stop;
static struct solve_options options = {.stop = &stop};
static struct job job;

static int start(void **state)
{
  (void)state;
  atomic_store(&stop, false);
  job_init(&job, &options);
  return 0;
}

static void check_zeroed(size_t bytes)
{
  uint8_t *block = job_alloc(&job, bytes);
  assert_non_null(block);
  assert_int_equal((uintptr_t)block % 64, 0);
  assert_int_equal(atomic_load(&job.held_bytes), bytes);
  for (size_t at = 0; at < bytes; at++)
    assert_int_equal(block[at], 0);
  job_free(&job, block, bytes);
  assert_int_equal(atomic_load(&job.held_bytes), 0);
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
  assert_null(job_alloc(&job, LARGE_BYTES));
  assert_int_equal(job.error, -ECANCELED);
  assert_int_equal(atomic_load(&job.held_bytes), 0);
}

/* What stopped it first is what it failed with. */
static void test_large_block_when_failed(void **state)
{
  (void)state;
  job_fail(&job, -ENOMEM);
  atomic_store(&stop, true);
  assert_null(job_alloc(&job, LARGE_BYTES));
  assert_int_equal(job.error, -ENOMEM);
  assert_int_equal(atomic_load(&job.held_bytes), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_blocks_are_zeroed_and_held, start),
      cmocka_unit_test_setup(test_large_block_when_stopped, start),
      cmocka_unit_test_setup(test_large_block_when_failed, start),
  };
  return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
