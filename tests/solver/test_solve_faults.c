/* Solves that are stopped, bounded or run out of memory, and what they tell of their progress. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "solver/engine/engine.h"
#include "solver/solve.h"
#include "solver/verify.h"
#include "tests/solver/queue.h"
#include "tests/support/failing_alloc.h"

static void test_stopped_before(void **state)
{
  (void)state;
  struct random random = {7};
  for (uint32_t nodes = 20; nodes <= 200; nodes += 90) {
    struct specimen specimen;
    make_mirrored(&specimen, &random, nodes);
    atomic_bool stop = true;
    struct solve_options options = {.stop = &stop};
    struct table *table = NULL;
    assert_int_equal(solve(&specimen.arena, &options, &table), -ECANCELED);
    assert_null(table);
    specimen_deinit(&specimen);
  }
}

struct stopper {
  atomic_bool stop;
  atomic_uint_fast64_t decided;
  uint64_t at;
};

static void *stop_at(void *argument)
{
  struct stopper *stopper = argument;
  while (atomic_load(&stopper->decided) < stopper->at)
    ;
  atomic_store(&stopper->stop, true);
  return NULL;
}

static void test_stopped_within(void **state)
{
  (void)state;
  struct random random = {11};
  struct specimen specimen;
  make_mirrored(&specimen, &random, 700);
  for (unsigned threads = 1; threads <= 2; threads++)
    for (uint64_t at = 1; at < 100000; at *= 10) {
      struct stopper stopper = {.at = at};
      struct solve_options options = {
          .threads = threads, .stop = &stopper.stop, .decided = &stopper.decided};
      pthread_t thread;
      struct table *table = NULL;
      assert_int_equal(pthread_create(&thread, NULL, stop_at, &stopper), 0);
      int error = solve(&specimen.arena, &options, &table);
      atomic_fetch_add(&stopper.decided, UINT64_C(1) << 40);
      assert_int_equal(pthread_join(thread, NULL), 0);
      assert_true(error == 0 || error == -ECANCELED);
      assert_true((error == 0) == (table != NULL));
      table_free(table);
    }
  specimen_deinit(&specimen);
}

static void test_progress_counts_every_state(void **state)
{
  (void)state;
  struct random random = {5};
  for (uint32_t nodes = 40; nodes <= 300; nodes += 130) {
    struct specimen specimen;
    make_mirrored(&specimen, &random, nodes);
    uint32_t *cells = solve_by_queue(&specimen);
    uint64_t expected = 0;
    uint32_t longest = 0;
    for (uint32_t at = 0; at < 2 * nodes * nodes; at++) {
      expected += cells[at] != 0;
      longest = cells[at] > longest ? cells[at] : longest;
    }
    atomic_uint_fast64_t decided = 0;
    atomic_uint_fast32_t layers = 0;
    struct solve_options options = {.decided = &decided, .layers = &layers};
    struct table *table;
    assert_int_equal(solve(&specimen.arena, &options, &table), 0);
    assert_int_equal(decided, expected);
    assert_true(layers >= (longest - 1) / 2);
    table_free(table);
    free(cells);
    specimen_deinit(&specimen);
  }
}

static void test_bound_on_memory(void **state)
{
  (void)state;
  struct random random = {3};
  for (uint32_t nodes = 30; nodes <= 330; nodes += 100) {
    struct specimen specimen;
    make_mirrored(&specimen, &random, nodes);
    struct solve_options options = {.max_bytes = solve_bytes(&specimen.arena) - 1};
    struct table *table = NULL;
    failing_alloc_arm(0);
    int error = solve(&specimen.arena, &options, &table);
    assert_false(failing_alloc_disarm());
    assert_int_equal(error, -EFBIG);
    assert_null(table);
    options.max_bytes++;
    assert_int_equal(solve(&specimen.arena, &options, &table), 0);
    table_free(table);
    specimen_deinit(&specimen);
  }
}

/* Failures are counted by thread: with two, those of the thread that asked for the solve. */
static void check_failing_allocations(const struct specimen *specimen,
                                      const struct engine_options *forced, unsigned threads)
{
  struct solve_options options = {.threads = threads};
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    struct table *table = NULL;
    failing_alloc_arm(nth);
    int error = engine_solve(&specimen->arena, &options, forced, &table);
    failed = failing_alloc_disarm();
    if (threads == 1) {
      assert_int_equal(error, failed ? -ENOMEM : 0);
      assert_true(!failed || failing_alloc_outstanding() == 0);
      assert_true(!failed || failing_alloc_mapped() == 0);
    }
    assert_true(error == 0 || (error == -ENOMEM && failed));
    assert_true((error == 0) == (table != NULL));
    table_free(table);
  }
}

/* Refused before anything is allocated: what the engine numbers would overflow. */
static void test_more_nodes_than_can_be_numbered(void **state)
{
  (void)state;
  enum { NODES = SOLVE_NODES_MAX + 1 };
  uint32_t *lists = zeroed(NODES, sizeof *lists);
  uint64_t *set = zeroed(NODES / 64 + 1, sizeof *set);
  struct moves none = {lists, lists, lists};
  struct arena arena = {
      .nodes = NODES, .moves = {none, none}, .home = {set, set}, .barred = {set, set}};
  struct table *table = NULL;
  failing_alloc_arm(0);
  int status = solve(&arena, NULL, &table);
  assert_false(failing_alloc_disarm());
  assert_int_equal(status, -EFBIG);
  free(set);
  free(lists);
}

static void test_failing_allocations(void **state)
{
  (void)state;
  struct random random = {13};
  for (int round = 0; round < 30; round++) {
    struct specimen specimen;
    uint32_t nodes = 20 + 13 * (uint32_t)round;
    make_mirrored(&specimen, &random, nodes);
    struct engine_options forced = random_options(&random, nodes);
    check_failing_allocations(&specimen, &forced, 1);
    check_failing_allocations(&specimen, &forced, 2);
    specimen_deinit(&specimen);
  }
}

/* Every phase of a solve begins with memory of its own, so this stops it in each of them. */
static void check_stopped_at_allocations(const struct specimen *specimen,
                                         const struct engine_options *forced)
{
  bool stopped = true;
  for (long nth = 0; stopped; nth++) {
    atomic_bool stop = false;
    struct solve_options options = {.threads = 1, .stop = &stop};
    struct table *table = NULL;
    failing_alloc_arm_flag(nth, &stop);
    int error = engine_solve(&specimen->arena, &options, forced, &table);
    stopped = failing_alloc_disarm();
    assert_int_equal(error, stopped ? -ECANCELED : 0);
    assert_true((error == 0) == (table != NULL));
    if (stopped) {
      assert_int_equal(failing_alloc_outstanding(), 0);
      assert_int_equal(failing_alloc_mapped(), 0);
    }
    table_free(table);
  }
}

/* Large enough for blocks straight from the system. */
static void test_failing_mappings(void **state)
{
  (void)state;
  struct random random = {17};
  struct specimen specimen;
  struct engine_options unforced = {.share_always = true};
  make_directed(&specimen, &random, 1100);
  check_failing_allocations(&specimen, &unforced, 1);
  check_failing_allocations(&specimen, &unforced, 2);
  check_stopped_at_allocations(&specimen, &unforced);
  specimen_deinit(&specimen);
}

static void test_stopped_at_allocations(void **state)
{
  (void)state;
  struct random random = {19};
  for (int round = 0; round < 30; round++) {
    struct specimen specimen;
    uint32_t nodes = 70 + 13 * (uint32_t)round;
    make_mirrored(&specimen, &random, nodes);
    struct engine_options forced = random_options(&random, nodes);
    check_stopped_at_allocations(&specimen, &forced);
    specimen_deinit(&specimen);
  }
}

static void test_verify_without_memory(void **state)
{
  (void)state;
  struct random random = {23};
  struct specimen specimen;
  struct table *table;
  struct verification verification = {.checked = 1};
  make_mirrored(&specimen, &random, 100);
  assert_int_equal(solve(&specimen.arena, NULL, &table), 0);
  failing_alloc_arm(0);
  int error = verify(&specimen.arena, table, NULL, &verification);
  assert_true(failing_alloc_disarm());
  assert_int_equal(error, -ENOMEM);
  assert_int_equal(verification.checked, 1);
  table_free(table);
  specimen_deinit(&specimen);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stopped_before),
      cmocka_unit_test(test_stopped_within),
      cmocka_unit_test(test_progress_counts_every_state),
      cmocka_unit_test(test_bound_on_memory),
      cmocka_unit_test(test_more_nodes_than_can_be_numbered),
      cmocka_unit_test(test_failing_allocations),
      cmocka_unit_test(test_failing_mappings),
      cmocka_unit_test(test_stopped_at_allocations),
      cmocka_unit_test(test_verify_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
