/* The cache: found by id and prefix, bounded, least recently used out first, kept while in use. */
#include <stdlib.h>

#include "tests/daemon/cache/entries.h"
#include "tests/daemon/case.h"

enum { CACHE_BYTES = 1 << 20, IN_USE = 100 };

/* An entry whose id begins and ends with these bytes. */
static struct solved *add(struct cache *cache, uint8_t first, uint8_t last)
{
  struct id id = {{first}};
  id.bytes[ID_BYTES - 1] = last;
  return entry_add(cache, &id, 1);
}

CASE(found_by_id_and_prefix)
{
  struct cache *cache = *state;
  struct solved *found = NULL;
  struct solved *one = add(cache, 0x12, 1), *twin = add(cache, 0x12, 2),
                *other = add(cache, 0x34, 3);
  assert_ptr_equal(cache_find(cache, &one->node.id), one);
  assert_int_equal(cache_find_prefix(cache, "120000", &found), 2);
  assert_int_equal(cache_find_prefix(cache, "340000", &found), 1);
  assert_ptr_equal(found, other);
  assert_int_equal(cache_find_prefix(cache, "560000", &found), 0);
  assert_int_equal(cache_find_prefix(cache, twin->id_text, &found), 1);
  assert_ptr_equal(found, twin);
  cache_unref(cache, one);
  cache_unref(cache, twin);
  cache_unref(cache, other);
}

CASE(least_recently_used_goes_first)
{
  struct cache *cache = *state;
  struct solved *old = add(cache, 1, 0);
  cache_unref(cache, old);
  struct solved *used = add(cache, 2, 0);
  cache_unref(cache, used);
  cache_touch(cache, old, 5);
  const struct id used_id = used->node.id, old_id = old->node.id;
  assert_true(cache_shrink(cache, cache->bytes - 1, 1));
  assert_null(cache_find(cache, &used_id));
  assert_ptr_equal(cache_find(cache, &old_id), old);
  assert_false(cache_shrink(cache, 0, 0));
  assert_ptr_equal(cache_find(cache, &old_id), old);
  assert_true(cache_shrink(cache, 0, 1));
  assert_null(cache_find(cache, &old_id));
  assert_int_equal(cache->bytes, 0);
}

CASE(a_table_in_use_lives)
{
  struct cache *cache = *state;
  struct solved *held = add(cache, 1, 0);
  cache_evict(cache, held);
  assert_null(cache_find(cache, &held->node.id));
  assert_int_equal(cache->bytes, held->bytes);
  assert_int_equal(cache->dropped_bytes, 0);
  assert_int_equal(held->arena->nodes, ENTRY_NODES);
  const uint64_t held_bytes = held->bytes;
  cache_unref(cache, held);
  assert_int_equal(cache->bytes, 0);
  assert_int_equal(cache->dropped_bytes, held_bytes);
  entries_give_back(cache);
  assert_int_equal(cache->dropped_bytes, 0);
}

CASE(one_that_never_fits_is_not_listed)
{
  struct cache *cache = *state;
  struct solved *kept = add(cache, 1, 0);
  cache->max_bytes = kept->bytes;
  struct solved *large = entry_add(cache, &(struct id){{2}}, 4);
  assert_false(large->listed);
  assert_null(cache_find(cache, &large->node.id));
  assert_ptr_equal(cache_find(cache, &kept->node.id), kept);
  assert_int_equal(cache->bytes, kept->bytes + large->bytes);
  cache_touch(cache, large, 5);
  cache_unref(cache, large);
  assert_int_equal(cache->bytes, kept->bytes);
  cache_unref(cache, kept);
}

CASE(what_is_in_use_is_not_passed_over_at_once)
{
  struct cache *cache = *state;
  struct solved *held[IN_USE];
  unsigned calls = 1;
  for (unsigned i = 0; i < IN_USE; i++)
    held[i] = add(cache, 1, (uint8_t)i);
  for (unsigned i = 0; i < IN_USE; i++)
    cache_unref(cache, add(cache, 2, (uint8_t)i));
  while (!cache_shrink(cache, cache->in_use_bytes, 1))
    calls++;
  assert_in_range(calls, 2 * IN_USE, 2 * IN_USE + 1);
  assert_int_equal(cache->map.count, IN_USE);
  assert_true(cache_shrink(cache, 0, 1));
  assert_int_equal(cache->map.count, IN_USE);
  for (unsigned i = 0; i < IN_USE; i++)
    cache_unref(cache, held[i]);
}

CASE(clearing_leaves_what_is_in_use)
{
  struct cache *cache = *state;
  struct link dropped;
  struct solved *held = add(cache, 1, 0), *gone = add(cache, 2, 0);
  const struct id held_id = held->node.id, gone_id = gone->node.id;
  cache_unref(cache, gone);
  cache_clear(cache);
  assert_null(cache_find(cache, &held_id));
  assert_null(cache_find(cache, &gone_id));
  assert_int_equal(cache->map.count, 0);
  assert_int_equal(cache->bytes, held->bytes);
  assert_int_equal(held->arena->nodes, ENTRY_NODES);

  struct solved *again = add(cache, 2, 0);
  assert_ptr_equal(cache_find(cache, &gone_id), again);
  cache_unref(cache, again);
  cache_unref(cache, held);
  cache_take_dropped(cache, &dropped);
  assert_ptr_equal(container_of(dropped.next, struct solved, recency), gone);
  solved_free_all(&dropped);
  cache_clear(cache);
  assert_int_equal(cache->bytes, 0);
}

static int start(void **state)
{
  struct cache *cache = malloc(sizeof *cache);
  assert_non_null(cache);
  assert_int_equal(cache_init(cache, CACHE_BYTES), 0);
  *state = cache;
  return 0;
}

static int stop(void **state)
{
  cache_deinit(*state);
  free(*state);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_found_by_id_and_prefix, start, stop),
      cmocka_unit_test_setup_teardown(test_least_recently_used_goes_first, start, stop),
      cmocka_unit_test_setup_teardown(test_a_table_in_use_lives, start, stop),
      cmocka_unit_test_setup_teardown(test_one_that_never_fits_is_not_listed, start, stop),
      cmocka_unit_test_setup_teardown(test_what_is_in_use_is_not_passed_over_at_once, start, stop),
      cmocka_unit_test_setup_teardown(test_clearing_leaves_what_is_in_use, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
