/* Every legal 913 graph of 3 to 6 nodes: how many there are, and how their starts turn out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "solver/solve.h"
#include "solver/verify.h"

enum { NODES_MOST = 6 };

struct counts {
  unsigned legal, mouse, cat, draw;
};

/* Bit `pair` of `edges` links the pair-th couple of nodes. */
static void link_nodes(unsigned edges, uint32_t nodes, uint8_t linked[static NODES_MOST])
{
  unsigned pair = 0;
  memset(linked, 0, NODES_MOST);
  for (uint32_t a = 0; a < nodes; a++) {
    for (uint32_t b = a + 1; b < nodes; b++, pair++) {
      if (edges >> pair & 1) {
        linked[a] |= (uint8_t)(1u << b);
        linked[b] |= (uint8_t)(1u << a);
      }
    }
  }
}

static bool is_legal(uint32_t nodes, const uint8_t linked[static NODES_MOST])
{
  for (uint32_t node = 0; node < nodes; node++) {
    if (linked[node] == 0)
      return false;
  }
  return (linked[2] & ~1u) != 0;
}

static enum outcome outcome_of(uint32_t nodes, const uint8_t linked[static NODES_MOST])
{
  uint32_t first[NODES_MOST + 1], count = 0;
  int32_t neighbour[NODES_MOST * NODES_MOST];
  for (uint32_t a = 0; a < nodes; a++) {
    first[a] = count;
    for (uint32_t b = nodes; b-- > 0;) {
      if (linked[a] >> b & 1)
        neighbour[count++] = (int32_t)b;
    }
  }
  first[nodes] = count;
  struct puzzle puzzle = {
      .game = GAME_GRAPH,
      .graph = {.nodes = nodes, .first = first, .neighbour = neighbour},
  };
  struct arena *arena;
  struct table *table;
  struct complaint complaint;
  struct verification found;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  assert_int_equal(solve(arena, NULL, &table), 0);
  assert_int_equal(verify(arena, table, NULL, &found), 0);
  assert_int_equal(found.faults, 0);
  enum outcome outcome = table_value(table, arena->start).outcome;
  table_free(table);
  arena_free(arena);
  return outcome;
}

static struct counts count(uint32_t nodes)
{
  struct counts counts = {0};
  uint8_t linked[NODES_MOST];
  for (unsigned edges = 0; edges < 1u << (nodes * (nodes - 1) / 2); edges++) {
    link_nodes(edges, nodes, linked);
    if (!is_legal(nodes, linked))
      continue;
    enum outcome outcome = outcome_of(nodes, linked);
    counts.legal++;
    counts.mouse += outcome == OUTCOME_MOUSE;
    counts.cat += outcome == OUTCOME_CAT;
    counts.draw += outcome == OUTCOME_DRAW;
  }
  return counts;
}

static void test_every_small_graph(void **state)
{
  (void)state;
  const struct counts known[] = {
      {3, 2, 1, 0}, {36, 24, 12, 0}, {723, 494, 217, 12}, {26640, 18986, 7114, 540}};
  for (uint32_t nodes = 3; nodes <= NODES_MOST; nodes++) {
    struct counts counts = count(nodes);
    assert_memory_equal(&counts, &known[nodes - 3], sizeof counts);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_small_graph)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
