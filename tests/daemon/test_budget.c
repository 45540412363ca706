/*
 * What tables and solves may hold together: reserved and given back; tables leave for it a few at a time, however
 * many must, so that whoever serves others at the same time is never held for long.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/budget.h"
#include "tests/daemon/entries.h"

enum { MANY = 20000, AT_ONCE_MAX = 1000, BY_ADDING_MAX = 16 };

struct fixture {
  struct cache cache;
  struct daemon_limits limits;
  struct budget budget;
};

static struct solved *add(struct fixture *fixture, uint32_t number, uint32_t width)
{
  struct id id = {{0}};
  memcpy(id.bytes, &number, sizeof number);
  return entry_add(&fixture->cache, &id, width);
}

static void fill(struct fixture *fixture)
{
  for (uint32_t number = 0; number < MANY; number++)
    cache_unref(&fixture->cache, add(fixture, number, 1));
}

/* Each of so many calls may displace so many. */
static void assert_slice(struct fixture *fixture, uint32_t *before, uint32_t most)
{
  assert_true(*before - fixture->cache.map.count <= most);
  *before = fixture->cache.map.count;
}

static void test_reserving_displaces_a_few_at_a_time(void **state)
{
  struct fixture *fixture = *state;
  uint64_t reserved_bytes = 0;
  uint32_t before = MANY;
  int result = -EAGAIN;
  fill(fixture);
  fixture->limits.memory_bytes = fixture->cache.bytes;
  uint64_t need_bytes = fixture->cache.bytes / 4 * 3;
  while (result == -EAGAIN) {
    result = budget_reserve(&fixture->budget, need_bytes, &reserved_bytes);
    assert_slice(fixture, &before, AT_ONCE_MAX);
    entries_give_back(&fixture->cache);
  }
  assert_int_equal(result, 0);
  assert_true(reserved_bytes >= need_bytes);
  assert_true(fixture->cache.bytes + reserved_bytes <= fixture->limits.memory_bytes);
  assert_in_range(fixture->cache.map.count, MANY / 4 - 1, MANY / 4);
  budget_release(&fixture->budget, reserved_bytes);
  assert_int_equal(fixture->budget.reserved_bytes, 0);
}

static void test_what_is_being_given_back_makes_no_room_yet(void **state)
{
  struct fixture *fixture = *state;
  struct link dropped;
  uint64_t reserved_bytes = 0;
  fill(fixture);
  uint64_t bytes = fixture->cache.bytes, most_bytes = 2 * (uint64_t)SLIGHT_BYTES;
  fixture->limits.memory_bytes = bytes;
  while (fixture->cache.bytes > bytes - most_bytes)
    assert_true(cache_shrink(&fixture->cache, fixture->cache.bytes - 1, 1));
  uint64_t need_bytes = bytes - fixture->cache.bytes, leaving_bytes = fixture->cache.dropped_bytes;
  assert_int_equal(budget_reserve(&fixture->budget, need_bytes, &reserved_bytes), -EAGAIN);
  cache_take_dropped(&fixture->cache, &dropped);
  budget_leave(&fixture->budget, leaving_bytes);
  assert_int_equal(budget_reserve(&fixture->budget, need_bytes, &reserved_bytes), -ENOSPC);
  solved_free_all(&dropped);
  budget_left(&fixture->budget, leaving_bytes);
  assert_int_equal(budget_reserve(&fixture->budget, need_bytes, &reserved_bytes), 0);
  assert_int_equal(reserved_bytes, need_bytes);
  assert_int_equal(fixture->cache.bytes + reserved_bytes, bytes);
}

static void test_keeping_displaces_a_few_at_a_time(void **state)
{
  struct fixture *fixture = *state;
  uint32_t before = MANY;
  fill(fixture);
  fixture->cache.max_bytes = fixture->cache.bytes / 4;
  struct solved *last = add(fixture, MANY, 4);
  before++;
  assert_slice(fixture, &before, BY_ADDING_MAX);
  assert_true(fixture->cache.bytes > fixture->cache.max_bytes);
  while (budget_is_over(&fixture->budget)) {
    budget_keep_within(&fixture->budget);
    assert_slice(fixture, &before, AT_ONCE_MAX);
  }
  assert_true(fixture->cache.bytes <= fixture->cache.max_bytes);
  assert_in_range(fixture->cache.map.count, MANY / 4 - 1, MANY / 4);
  assert_ptr_equal(cache_find(&fixture->cache, &last->node.id), last);
  cache_unref(&fixture->cache, last);
}

static void test_what_is_in_use_makes_no_room(void **state)
{
  struct fixture *fixture = *state;
  uint64_t reserved_bytes = 0;
  struct solved *held = add(fixture, 0, 1);
  cache_unref(&fixture->cache, add(fixture, 1, 1));
  fixture->limits.memory_bytes = fixture->cache.bytes;
  uint64_t need_bytes = fixture->cache.bytes - held->bytes;
  assert_int_equal(budget_reserve(&fixture->budget, need_bytes + 1, &reserved_bytes), -ENOSPC);
  assert_int_equal(fixture->cache.map.count, 2);
  assert_int_equal(budget_reserve(&fixture->budget, need_bytes, &reserved_bytes), 0);
  assert_int_equal(reserved_bytes, need_bytes);
  assert_int_equal(fixture->cache.map.count, 1);
  assert_int_equal(budget_reserve(&fixture->budget, 1, &reserved_bytes), -ENOSPC);
  cache_unref(&fixture->cache, held);
}

static void test_nothing_goes_where_what_is_in_use_is_too_much(void **state)
{
  struct fixture *fixture = *state;
  cache_unref(&fixture->cache, add(fixture, 0, 1));
  struct solved *held = add(fixture, 1, 4);
  fixture->cache.max_bytes = held->bytes - 1;
  assert_false(budget_is_over(&fixture->budget));
  budget_keep_within(&fixture->budget);
  assert_int_equal(fixture->cache.map.count, 2);
  cache_unref(&fixture->cache, held);
  assert_true(budget_is_over(&fixture->budget));
  while (budget_is_over(&fixture->budget))
    budget_keep_within(&fixture->budget);
  assert_true(fixture->cache.bytes <= fixture->cache.max_bytes);
}

static void test_what_never_fits_is_refused(void **state)
{
  struct fixture *fixture = *state;
  struct fault fault;
  struct solved *solved = add(fixture, 0, 1);
  fixture->limits.memory_bytes = 5000;
  fixture->limits.cache_bytes = 1;
  assert_int_equal(budget_admit(&fixture->budget, solved->arena, 5001, &fault), -EBADMSG);
  assert_int_equal(fault.error, ERROR_TOO_LARGE);
  assert_string_equal(fault.text, "3 nodes need 5001 bytes to solve, the limit is 5000");
  assert_int_equal(budget_admit(&fixture->budget, solved->arena, 5000, &fault), -EBADMSG);
  assert_non_null(strstr(fault.text, "and 1 may be kept in memory"));
  fixture->limits.cache_bytes = 5000;
  assert_int_equal(budget_admit(&fixture->budget, solved->arena, 5000, &fault), 0);
  cache_unref(&fixture->cache, solved);
}

static int start(void **state)
{
  struct fixture *fixture = malloc(sizeof *fixture);
  assert_non_null(fixture);
  fixture->limits = daemon_limits_default;
  assert_int_equal(cache_init(&fixture->cache, fixture->limits.cache_bytes), 0);
  budget_init(&fixture->budget, &fixture->cache, &fixture->limits);
  *state = fixture;
  return 0;
}

static int stop(void **state)
{
  struct fixture *fixture = *state;
  cache_deinit(&fixture->cache);
  free(fixture);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_reserving_displaces_a_few_at_a_time, start, stop),
      cmocka_unit_test_setup_teardown(test_what_is_being_given_back_makes_no_room_yet, start, stop),
      cmocka_unit_test_setup_teardown(test_keeping_displaces_a_few_at_a_time, start, stop),
      cmocka_unit_test_setup_teardown(test_what_is_in_use_makes_no_room, start, stop),
      cmocka_unit_test_setup_teardown(test_nothing_goes_where_what_is_in_use_is_too_much, start,
                                      stop),
      cmocka_unit_test_setup_teardown(test_what_never_fits_is_refused, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
