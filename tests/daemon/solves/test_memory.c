/*
 * What tables, solves and messages may take together: charged, refused and given back. Tables leave for it a few at
 * a time, however many must, so that nobody is held for long.
 */
#include <errno.h>
#include <string.h>

#include "tests/daemon/cache/entries.h"
#include "tests/daemon/solves/fixture.h"

enum { MANY = 20000, AT_ONCE_MAX = 1000, MIB = 1 << 20 };

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

static int charge(struct fixture *fixture, uint64_t bytes)
{
  uint64_t charged_bytes = 0;
  int result = memory_charge(&fixture->memory, bytes, bytes, &charged_bytes);
  assert_int_equal(charged_bytes, result == 0 ? bytes : 0);
  return result;
}

static void wait_until_given_back(struct fixture *fixture, uint64_t charged_bytes)
{
  while (fixture->memory.charged_bytes > charged_bytes) {
    sem_wait(&fixture->woken);
    workers_collect(fixture->helpers);
  }
  assert_int_equal(fixture->memory.charged_bytes, charged_bytes);
}

CASE(charging_displaces_a_few_at_a_time)
{
  struct fixture *fixture = *state;
  uint32_t before = MANY;
  int result = -EAGAIN;
  fill(fixture);
  fixture->limits.memory_bytes = fixture->cache.bytes;
  uint64_t need_bytes = fixture->cache.bytes / 4 * 3;
  while (result == -EAGAIN) {
    result = charge(fixture, need_bytes);
    assert_slice(fixture, &before, AT_ONCE_MAX);
    entries_give_back(&fixture->cache);
  }
  assert_int_equal(result, 0);
  assert_int_equal(fixture->memory.charged_bytes, need_bytes);
  assert_true(fixture->cache.bytes + need_bytes <= fixture->limits.memory_bytes);
  assert_in_range(fixture->cache.map.count, MANY / 4 - 1, MANY / 4);
  memory_release(&fixture->memory, need_bytes);
}

/* It counts until a helper has really freed it, and no more tables leave meanwhile. */
CASE(what_is_being_given_back_makes_no_room_yet)
{
  struct fixture *fixture = *state;
  const uint64_t need_bytes = 2 * (uint64_t)FREE_LATER_BYTES;
  fill(fixture);
  fixture->limits.memory_bytes = fixture->cache.bytes;
  int result = charge(fixture, need_bytes);
  while (fixture->cache.bytes > fixture->limits.memory_bytes - need_bytes)
    result = charge(fixture, need_bytes);
  assert_int_equal(result, -EAGAIN);
  assert_true(fixture->cache.dropped_bytes >= need_bytes);
  memory_tend(&fixture->memory);
  assert_int_equal(fixture->cache.dropped_bytes, 0);
  assert_true(fixture->memory.charged_bytes >= need_bytes);
  const uint32_t left = fixture->cache.map.count;
  for (int round = 0; round < 10; round++) {
    assert_int_equal(charge(fixture, need_bytes), -EAGAIN);
    memory_tend(&fixture->memory);
  }
  assert_int_equal(fixture->cache.map.count, left);
  wait_until_given_back(fixture, 0);
  assert_int_equal(charge(fixture, need_bytes), 0);
  memory_release(&fixture->memory, need_bytes);
}

/* Neither the arena nor the table were ever in the cache. */
CASE(what_a_solve_leaves_is_charged_until_it_is_freed)
{
  struct fixture *fixture = *state;
  struct solved *small = solved_new(&(struct id){{1}}, path_arena(50)),
                *large = solved_new(&(struct id){{2}}, path_arena(600));
  cache_drop(&fixture->cache, small, NULL);
  assert_true(memory_tend(&fixture->memory));
  assert_int_equal(fixture->memory.charged_bytes, 0);
  cache_drop(&fixture->cache, large, table_new(600, 1));
  const uint64_t large_bytes = fixture->cache.dropped_bytes;
  assert_true(large_bytes > 600 * 600);
  assert_false(memory_tend(&fixture->memory));
  assert_int_equal(fixture->memory.charged_bytes, large_bytes);
  wait_until_given_back(fixture, 0);
}

CASE(the_cache_is_kept_within_its_bounds_a_few_at_a_time)
{
  struct fixture *fixture = *state;
  uint32_t before = MANY;
  fill(fixture);
  fixture->cache.max_bytes = fixture->cache.bytes / 4;
  struct solved *last = add(fixture, MANY, 4);
  before++;
  assert_slice(fixture, &before, 0);
  while (fixture->cache.bytes > fixture->cache.max_bytes) {
    if (!memory_tend(&fixture->memory))
      sem_wait(&fixture->woken); /* the loop comes back */
    workers_collect(fixture->helpers);
    assert_slice(fixture, &before, AT_ONCE_MAX);
  }
  assert_in_range(fixture->cache.map.count, MANY / 4 - 1, MANY / 4);
  assert_ptr_equal(cache_find(&fixture->cache, &last->node.id), last);
  cache_unref(&fixture->cache, last);
}

CASE(what_is_in_use_makes_no_room)
{
  struct fixture *fixture = *state;
  struct solved *held = add(fixture, 0, 1);
  cache_unref(&fixture->cache, add(fixture, 1, 1));
  fixture->limits.memory_bytes = fixture->cache.bytes;
  uint64_t need_bytes = fixture->cache.bytes - held->bytes;
  assert_int_equal(charge(fixture, need_bytes + 1), -ENOSPC);
  assert_int_equal(fixture->cache.map.count, 2);
  assert_int_equal(charge(fixture, need_bytes), 0);
  assert_int_equal(fixture->cache.map.count, 1);
  assert_int_equal(charge(fixture, 1), -ENOSPC);
  assert_int_equal(memory_charge_little(&fixture->memory, 1), -ENOSPC);
  cache_unref(&fixture->cache, held);
  assert_int_equal(memory_charge_little(&fixture->memory, 1), 0);
  memory_release(&fixture->memory, need_bytes + 1);
}

/* More than it needs where that costs nothing, but an eighth of all memory stays free. */
CASE(a_wish_takes_what_is_free)
{
  struct fixture *fixture = *state;
  uint64_t charged_bytes = 0;
  fixture->limits.memory_bytes = 800;
  assert_int_equal(memory_charge(&fixture->memory, 100, 200, &charged_bytes), 0);
  assert_int_equal(charged_bytes, 200);
  memory_release(&fixture->memory, 200);
  assert_int_equal(memory_charge(&fixture->memory, 100, 10000, &charged_bytes), 0);
  assert_int_equal(charged_bytes, 700);
  memory_release(&fixture->memory, 700);
}

CASE(messages_have_a_part_of_their_own)
{
  struct fixture *fixture = *state;
  const uint64_t own_bytes = MEMORY_MESSAGE_BYTES, all_bytes = 10 * MIB;
  fixture->limits.memory_bytes = all_bytes;
  fixture->message_bytes = own_bytes;
  assert_int_equal(charge(fixture, all_bytes), 0);
  assert_true(memory_admits_messages(&fixture->memory, 0));
  assert_false(memory_admits_messages(&fixture->memory, 1));
  fixture->message_bytes -= MIB;
  assert_true(memory_admits_messages(&fixture->memory, MIB));
  assert_false(memory_admits_messages(&fixture->memory, MIB + 1));
  memory_release(&fixture->memory, all_bytes);
  assert_true(memory_admits_messages(&fixture->memory, all_bytes));
  assert_false(memory_admits_messages(&fixture->memory, all_bytes + 1));
}

CASE(messages_beyond_that_leave_less_for_all_else)
{
  struct fixture *fixture = *state;
  fill(fixture);
  fixture->limits.memory_bytes = fixture->cache.bytes;
  fixture->message_bytes = MEMORY_MESSAGE_BYTES + fixture->cache.bytes / 2;
  assert_int_equal(charge(fixture, fixture->limits.memory_bytes / 2 + 1), -ENOSPC);
  while (fixture->cache.map.count > MANY / 2) {
    if (!memory_tend(&fixture->memory))
      sem_wait(&fixture->woken);
    workers_collect(fixture->helpers);
  }
  assert_in_range(fixture->cache.map.count, MANY / 2 - 1, MANY / 2);
  fixture->message_bytes = 2 * fixture->limits.memory_bytes + MEMORY_MESSAGE_BYTES;
  assert_int_equal(charge(fixture, 1), -ENOSPC);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, fixture_setup, fixture_teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(charging_displaces_a_few_at_a_time),
      TEST(what_is_being_given_back_makes_no_room_yet),
      TEST(what_a_solve_leaves_is_charged_until_it_is_freed),
      TEST(the_cache_is_kept_within_its_bounds_a_few_at_a_time),
      TEST(what_is_in_use_makes_no_room),
      TEST(a_wish_takes_what_is_free),
      TEST(messages_have_a_part_of_their_own),
      TEST(messages_beyond_that_leave_less_for_all_else),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
