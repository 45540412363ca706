/* The map by id: whole ids and prefixes are found at every size, and no node costs much to add. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/id_map.h"
#include "tests/support/failing_alloc.h"

enum { NODES = 100000, SHARING_MAX = 32 };

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

static struct id_node *nodes_new(void)
{
  struct id_node *nodes = calloc(NODES, sizeof *nodes);
  assert_non_null(nodes);
  for (uint32_t number = 0; number < NODES; number++)
    nodes[number].id = id_of(number);
  return nodes;
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

static uint32_t longest_bucket(const struct id_map *map)
{
  uint32_t longest = 0;
  for (uint32_t at = 0, segment = 0, first = 0; at < map->bucket_count; at++) {
    if (at == (uint32_t)ID_MAP_FIRST << segment) {
      first = at;
      segment++;
    }
    uint32_t sharing = 0;
    for (const struct id_node *node = map->segments[segment][at - first]; node; node = node->next)
      sharing++;
    longest = sharing > longest ? sharing : longest;
  }
  return longest;
}

static void test_found_at_every_size(void **state)
{
  (void)state;
  struct id_map map;
  struct id_node *nodes = nodes_new();
  assert_int_equal(id_map_init(&map), 0);
  for (uint32_t number = 0; number < NODES; number++) {
    assert_null(id_map_find(&map, &nodes[number].id));
    id_map_add(&map, &nodes[number]);
    assert_found(&map, &nodes[number]);
    assert_found(&map, &nodes[number / 2]);
  }
  for (uint32_t number = 0; number < NODES; number += 2)
    id_map_remove(&map, &nodes[number]);
  assert_int_equal(map.count, NODES / 2);
  for (uint32_t number = 0; number < NODES; number++) {
    if (number % 2)
      assert_found(&map, &nodes[number]);
    else
      assert_null(id_map_find(&map, &nodes[number].id));
  }
  id_map_deinit(&map);
  free(nodes);
}

/* A node that is added moves those of one bucket, and no bucket gets long. */
static void test_each_step_is_short(void **state)
{
  (void)state;
  struct id_map map;
  struct id_node *nodes = nodes_new();
  assert_int_equal(id_map_init(&map), 0);
  for (uint32_t number = 0; number < NODES; number++) {
    uint32_t before = map.bucket_count;
    id_map_add(&map, &nodes[number]);
    assert_true(map.bucket_count <= before + 1);
    if (number % 10000 == 0)
      assert_true(longest_bucket(&map) <= SHARING_MAX);
  }
  assert_int_equal(map.bucket_count, NODES);
  id_map_deinit(&map);
  free(nodes);
}

static void test_cleared_and_filled_again(void **state)
{
  (void)state;
  struct id_map map;
  struct id_node *nodes = nodes_new();
  assert_int_equal(id_map_init(&map), 0);
  for (int round = 0; round < 2; round++) {
    for (uint32_t number = 0; number < 1000; number++)
      id_map_add(&map, &nodes[number]);
    for (uint32_t number = 0; number < 1000; number++)
      assert_found(&map, &nodes[number]);
    id_map_clear(&map);
    assert_int_equal(map.count, 0);
    assert_null(id_map_find(&map, &nodes[0].id));
  }
  id_map_deinit(&map);
  free(nodes);
}

static void test_without_memory_it_gets_slower(void **state)
{
  (void)state;
  struct id_map map;
  struct id_node *nodes = nodes_new();
  assert_int_equal(id_map_init(&map), 0);
  failing_alloc_arm_from(0);
  for (uint32_t number = 0; number < 1000; number++)
    id_map_add(&map, &nodes[number]);
  assert_true(failing_alloc_disarm());
  assert_int_equal(map.bucket_count, ID_MAP_FIRST);
  for (uint32_t number = 1000; number < 2000; number++)
    id_map_add(&map, &nodes[number]);
  for (uint32_t number = 0; number < 2000; number++)
    assert_found(&map, &nodes[number]);
  id_map_deinit(&map);
  free(nodes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_found_at_every_size),
      cmocka_unit_test(test_each_step_is_short),
      cmocka_unit_test(test_cleared_and_filled_again),
      cmocka_unit_test(test_without_memory_it_gets_slower),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
