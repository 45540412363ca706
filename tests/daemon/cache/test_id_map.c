/* The map by id: whole ids and prefixes are found at every size, in as many buckets as there were at the beginning. */
#include <errno.h>
#include <stdlib.h>

#include "daemon/cache/id_map.h"
#include "tests/daemon/case.h"
#include "tests/support/failing_alloc.h"

enum { NODES = 20000, BITS = 12, SHARING_MAX = 24 };

struct fixture {
  struct id_map map;
  struct id_node *nodes;
};

/* Of numbers that differ, in bytes that look random. */
static struct id id_of(uint32_t number)
{
  struct id id;
  uint64_t mixed = number + 1;
  for (size_t i = 0; i < ID_BYTES; i++) {
    mixed = mixed * 6364136223846793005u + 1442695040888963407u;
    id.bytes[i] = (uint8_t)(mixed >> 56);
  }
  return id;
}

static void assert_found(const struct id_map *map, const struct id_node *node)
{
  struct id_node *found = NULL;
  char digits[ID_TEXT + 1];
  id_format(&node->id, digits);
  assert_ptr_equal(id_map_find(map, &node->id), node);
  assert_int_equal(id_map_find_prefix(map, digits, &found), 1);
  assert_ptr_equal(found, node);
  digits[ID_PREFIX_MIN] = '\0';
  assert_true(id_map_find_prefix(map, digits, &found) >= 1);
}

static void fill(struct fixture *fixture, unsigned bits)
{
  assert_int_equal(id_map_init(&fixture->map, bits), 0);
  for (uint32_t number = 0; number < NODES; number++) {
    assert_null(id_map_find(&fixture->map, &fixture->nodes[number].id));
    id_map_add(&fixture->map, &fixture->nodes[number]);
    assert_int_equal(fixture->map.count, number + 1);
    assert_found(&fixture->map, &fixture->nodes[number]);
    assert_found(&fixture->map, &fixture->nodes[number / 2]);
  }
}

static void assert_buckets_are_short(const struct id_map *map)
{
  for (size_t bucket = 0; bucket < (size_t)1 << map->bits; bucket++) {
    unsigned sharing = 0;
    for (const struct id_node *node = map->buckets[bucket]; node; node = node->next)
      sharing++;
    assert_in_range(sharing, 0, 2 * (NODES >> map->bits) + SHARING_MAX);
  }
}

CASE(found_in_any_number_of_buckets)
{
  struct fixture *fixture = *state;
  const unsigned bits[] = {8, BITS, 20, 24};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    fill(fixture, bits[i]);
    assert_buckets_are_short(&fixture->map);
    for (uint32_t number = 0; number < NODES; number += 2)
      id_map_remove(&fixture->map, &fixture->nodes[number]);
    assert_int_equal(fixture->map.count, NODES / 2);
    for (uint32_t number = 0; number < NODES; number++) {
      if (number % 2)
        assert_found(&fixture->map, &fixture->nodes[number]);
      else
        assert_null(id_map_find(&fixture->map, &fixture->nodes[number].id));
    }
    id_map_deinit(&fixture->map);
  }
}

/* Odd numbers of digits too, and those that differ in the last only. */
CASE(prefixes_of_every_length)
{
  struct fixture *fixture = *state;
  struct id_node *one = &fixture->nodes[0], *twin = &fixture->nodes[1], *found = NULL;
  char digits[ID_TEXT + 1];
  twin->id = one->id;
  twin->id.bytes[ID_BYTES - 1] ^= 1;
  assert_int_equal(id_map_init(&fixture->map, BITS), 0);
  id_map_add(&fixture->map, one);
  id_map_add(&fixture->map, twin);
  for (size_t length = ID_PREFIX_MIN; length < ID_TEXT; length++) {
    id_format(&one->id, digits);
    digits[length] = '\0';
    assert_int_equal(id_map_find_prefix(&fixture->map, digits, &found), 2);
    found = NULL;
    digits[length - 1] = digits[length - 1] == '0' ? 'f' : '0';
    assert_int_equal(id_map_find_prefix(&fixture->map, digits, &found), 0);
    assert_null(found);
  }
  assert_found(&fixture->map, one);
  assert_found(&fixture->map, twin);
  id_map_deinit(&fixture->map);
}

/* With memory for new buckets and without. */
CASE(cleared_and_filled_again)
{
  struct fixture *fixture = *state;
  fill(fixture, BITS);
  for (int fails = 0; fails < 2; fails++) {
    failing_alloc_arm(fails ? 0 : NODES);
    id_map_clear(&fixture->map);
    assert_int_equal(failing_alloc_disarm(), fails);
    assert_int_equal(fixture->map.count, 0);
    for (uint32_t number = 0; number < NODES; number++)
      assert_null(id_map_find(&fixture->map, &fixture->nodes[number].id));
    for (uint32_t number = 0; number < NODES; number++)
      id_map_add(&fixture->map, &fixture->nodes[number]);
    for (uint32_t number = 0; number < NODES; number++)
      assert_found(&fixture->map, &fixture->nodes[number]);
  }
  id_map_deinit(&fixture->map);
}

/* However many are added, found and removed. */
CASE(only_the_buckets_are_allocated)
{
  struct fixture *fixture = *state;
  failing_alloc_arm(0);
  assert_int_equal(id_map_init(&fixture->map, BITS), -ENOMEM);
  failing_alloc_arm_from(1);
  assert_int_equal(id_map_init(&fixture->map, BITS), 0);
  for (uint32_t number = 0; number < NODES; number++)
    id_map_add(&fixture->map, &fixture->nodes[number]);
  for (uint32_t number = 0; number < NODES; number++)
    id_map_remove(&fixture->map, &fixture->nodes[number]);
  assert_false(failing_alloc_disarm());
  id_map_deinit(&fixture->map);
}

static int start(void **state)
{
  struct fixture *fixture = calloc(1, sizeof *fixture);
  assert_non_null(fixture);
  fixture->nodes = calloc(NODES, sizeof *fixture->nodes);
  assert_non_null(fixture->nodes);
  for (uint32_t number = 0; number < NODES; number++)
    fixture->nodes[number].id = id_of(number);
  *state = fixture;
  return 0;
}

static int stop(void **state)
{
  struct fixture *fixture = *state;
  free(fixture->nodes);
  free(fixture);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_found_in_any_number_of_buckets, start, stop),
      cmocka_unit_test_setup_teardown(test_prefixes_of_every_length, start, stop),
      cmocka_unit_test_setup_teardown(test_cleared_and_filled_again, start, stop),
      cmocka_unit_test_setup_teardown(test_only_the_buckets_are_allocated, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
