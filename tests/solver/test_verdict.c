/*
 * The verdict of the start alone against the finished table: on random arenas of every kind and start, in each way
 * and at each level of this machine; and all legal graphs of 3 to 7 nodes, counted.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "solver/engine/engine.h"
#include "solver/solve.h"
#include "solver/verdict.h"
#include "tests/solver/random_puzzle.h"

enum {
  ARENAS_OF_EACH_KIND = 3000,
  STARTS = 4,
  REGISTER_NODES = 16,
  LISTED_NODES_MOST = 7,
  SEED = 913
};

typedef struct arena *maker(struct chance *, uint32_t);

static struct chance seeded(void)
{
  const char *text = getenv("CATMOUSE_SEED");
  struct chance chance = {text ? strtoull(text, NULL, 10) : SEED};
  print_message("# seed %" PRIu64 "\n", chance.state);
  return chance;
}

static void assert_verdict(const struct arena *arena, const struct set_arena *sets,
                           struct table_value right, uint64_t seed)
{
  for (enum engine_level level = ENGINE_LEVEL_AUTO; level <= ENGINE_LEVEL_AVX512; level++) {
    for (enum engine_verdict way = ENGINE_VERDICT_AUTO; way <= ENGINE_VERDICT_WORDS; way++) {
      if (!engine_level_works(level) ||
          (way == ENGINE_VERDICT_REGISTER && arena->nodes > REGISTER_NODES))
        continue;
      struct table_value said = engine_verdict(sets, level, way);
      if (said.outcome != right.outcome || said.plies != right.plies)
        fail_msg("generator %" PRIu64
                 ", %u nodes, start %u,%u, level %s, way %d: outcome %d in %u plies, "
                 "but the table says %d in %u",
                 seed, arena->nodes, sets->mouse, sets->cat, engine_level_names[level], way,
                 said.outcome, said.plies, right.outcome, right.plies);
    }
  }
}

static bool can_start(const struct arena *arena, struct state start)
{
  return start.turn == PLAYER_MOUSE && !node_in(arena->barred[PLAYER_MOUSE], start.mouse) &&
         !node_in(arena->barred[PLAYER_CAT], start.cat);
}

static struct state random_start(const struct arena *arena, struct chance *chance)
{
  struct state start;
  do {
    start = (struct state){chance_below(chance, arena->nodes), chance_below(chance, arena->nodes),
                           PLAYER_MOUSE};
  } while (!can_start(arena, start));
  return start;
}

/* Some makers bar every node, or none that both can stand on. */
static bool has_start(const struct arena *arena)
{
  bool can[2] = {false, false};
  for (int player = 0; player < 2; player++) {
    for (uint32_t node = 0; node < arena->nodes; node++)
      can[player] |= !node_in(arena->barred[player], node);
  }
  return can[PLAYER_MOUSE] && can[PLAYER_CAT];
}

static void check_kind(maker *make, uint32_t nodes_least, uint32_t nodes_most)
{
  struct chance chance = seeded();
  unsigned checked = 0;
  for (int i = 0; i < ARENAS_OF_EACH_KIND; i++) {
    uint64_t seed = chance.state;
    struct arena *arena =
        make(&chance, nodes_least + chance_below(&chance, nodes_most - nodes_least));
    struct table *table;
    assert_int_equal(solve(arena, NULL, &table), 0);
    struct set_arena sets;
    struct state usual = arena->start;
    for (int start = 0; start < STARTS && arena->nodes <= VERDICT_NODES_MAX && has_start(arena);
         start++) {
      struct state state =
          start == 0 && can_start(arena, usual) ? usual : random_start(arena, &chance);
      arena->start = state;
      set_arena_from(arena, &sets);
      assert_verdict(arena, &sets, table_value(table, state), seed);
      checked++;
    }
    table_free(table);
    arena_free(arena);
  }
  assert_true(checked > ARENAS_OF_EACH_KIND);
}

static void test_small_graphs(void **state)
{
  (void)state;
  check_kind(random_graph, 4, REGISTER_NODES + 1);
}

static void test_graphs(void **state)
{
  (void)state;
  check_kind(random_graph, 4, 41);
}

static void test_grids(void **state)
{
  (void)state;
  check_kind(random_grid, 4, 41);
}

static void test_small_arenas(void **state)
{
  (void)state;
  check_kind(random_arena, 4, REGISTER_NODES + 1);
}

static void test_arenas(void **state)
{
  (void)state;
  check_kind(random_arena, 4, 41);
}

/* The nodes from 1 on in a row, the hole at the middle one: long wins of both. */
static struct arena *path_new(uint32_t nodes, uint64_t *neighbours)
{
  uint32_t first[VERDICT_NODES_MAX + 1], count = 0;
  int32_t neighbour[2 * VERDICT_NODES_MAX];
  for (uint32_t node = 0; node < nodes; node++) {
    neighbours[node] = node == 0 ? UINT64_C(1) << nodes / 2 : 0;
    neighbours[node] |= node == nodes / 2 ? 1 : 0;
    neighbours[node] |= node > 1 ? UINT64_C(1) << (node - 1) : 0;
    neighbours[node] |= node > 0 && node + 1 < nodes ? UINT64_C(1) << (node + 1) : 0;
    first[node] = count;
    for (uint64_t left = neighbours[node]; left; left &= left - 1)
      neighbour[count++] = __builtin_ctzll(left);
  }
  first[nodes] = count;
  struct puzzle puzzle = {GAME_GRAPH, .graph = {nodes, first, neighbour}};
  struct arena *arena;
  struct complaint complaint;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  return arena;
}

/* Rows of 4 to 64 bits, each place of the mouse, and set_arena_graph(). */
static void test_every_size(void **state)
{
  (void)state;
  uint32_t longest = 0;
  for (uint32_t nodes = 4; nodes <= VERDICT_NODES_MAX; nodes++) {
    uint64_t neighbours[VERDICT_NODES_MAX];
    struct arena *arena = path_new(nodes, neighbours);
    struct table *table;
    assert_int_equal(solve(arena, NULL, &table), 0);
    for (uint32_t mouse = 1; mouse < nodes - 1; mouse++) {
      struct set_arena sets;
      set_arena_graph(nodes, neighbours, 0, mouse, nodes - 1, &sets);
      struct table_value right = table_value(table, (struct state){mouse, nodes - 1, PLAYER_MOUSE});
      assert_verdict(arena, &sets, right, nodes);
      longest = right.plies != PLIES_NONE && right.plies > longest ? right.plies : longest;
    }
    table_free(table);
    arena_free(arena);
  }
  assert_true(longest > VERDICT_NODES_MAX / 2);
}

struct counts {
  unsigned legal, mouse, cat, draw;
};

/* Bit `pair` of `edges` links the pair-th couple of nodes. */
static void link_nodes(unsigned edges, uint32_t nodes, uint64_t *neighbours)
{
  unsigned pair = 0;
  for (uint32_t a = 0; a < nodes; a++)
    neighbours[a] = 0;
  for (uint32_t a = 0; a < nodes; a++) {
    for (uint32_t b = a + 1; b < nodes; b++, pair++) {
      uint64_t linked = edges >> pair & 1;
      neighbours[a] |= linked << b;
      neighbours[b] |= linked << a;
    }
  }
}

/* Everybody can move, as LeetCode promises. */
static bool is_legal(uint32_t nodes, const uint64_t *neighbours)
{
  for (uint32_t node = 0; node < nodes; node++) {
    if (neighbours[node] == 0)
      return false;
  }
  return (neighbours[2] & ~UINT64_C(1)) != 0;
}

static struct counts count(uint32_t nodes)
{
  struct counts counts = {0};
  uint64_t neighbours[LISTED_NODES_MOST];
  struct set_arena sets;
  for (unsigned edges = 0; edges < 1u << (nodes * (nodes - 1) / 2); edges++) {
    link_nodes(edges, nodes, neighbours);
    if (!is_legal(nodes, neighbours))
      continue;
    set_arena_graph(nodes, neighbours, 0, 1, 2, &sets);
    enum outcome outcome = verdict(&sets).outcome;
    counts.legal++;
    counts.mouse += outcome == OUTCOME_MOUSE;
    counts.cat += outcome == OUTCOME_CAT;
    counts.draw += outcome == OUTCOME_DRAW;
  }
  return counts;
}

static void test_counts(void **state)
{
  (void)state;
  const struct counts known[] = {{3, 2, 1, 0},
                                 {36, 24, 12, 0},
                                 {723, 494, 217, 12},
                                 {26640, 18986, 7114, 540},
                                 {1859067, 1386046, 433373, 39648}};
  for (uint32_t nodes = 3; nodes <= LISTED_NODES_MOST; nodes++) {
    struct counts counts = count(nodes);
    assert_memory_equal(&counts, &known[nodes - 3], sizeof counts);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_graphs), cmocka_unit_test(test_graphs),
      cmocka_unit_test(test_grids),        cmocka_unit_test(test_small_arenas),
      cmocka_unit_test(test_arenas),       cmocka_unit_test(test_every_size),
      cmocka_unit_test(test_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
