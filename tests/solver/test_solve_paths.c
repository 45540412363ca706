/*
 * Every way the engine can solve, forced, against a plain queue: random arenas of sizes around the
 * edges of words, lines and tiles; long distances.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "solver/engine/engine.h"
#include "solver/solve.h"
#include "solver/verify.h"
#include "tests/solver/queue.h"

static void assert_solves(const struct specimen *specimen, const struct engine_options *forced,
                          unsigned threads, const uint32_t *cells)
{
  struct solve_options options = {.threads = threads};
  struct table *table = NULL;
  assert_int_equal(engine_solve(&specimen->arena, &options, forced, &table), 0);
  uint32_t nodes = specimen->arena.nodes, longest = 0;
  for (uint32_t at = 0; at < 2 * nodes * nodes; at++) {
    struct state state = {at / nodes % nodes, at % nodes, (enum player)(at / nodes / nodes)};
    uint32_t cell = table_cell(table, state);
    if (cell != cells[at])
      fail_msg(
          "%u nodes, level %d, size %d, forall %d, exists %d, order %d, output %d, %u threads: "
          "mouse %u, cat %u, turn %d is %u, should be %u",
          nodes, forced->level, forced->size, forced->forall, forced->exists, forced->order,
          forced->output, threads, state.mouse, state.cat, state.turn, cell, cells[at]);
    longest = cell > longest ? cell : longest;
  }
  assert_int_equal(table->width, longest ? table_width((longest - 1) / 2) : 1);
  table_free(table);
}

static void assert_verifies(const struct specimen *specimen)
{
  struct table *table;
  struct verification verification;
  assert_int_equal(solve(&specimen->arena, NULL, &table), 0);
  assert_int_equal(verify(&specimen->arena, table, NULL, &verification), 0);
  assert_int_equal(verification.faults, 0);
  table_free(table);
}

static void check_specimen(struct specimen *specimen, struct random *random, int ways)
{
  uint32_t *cells = solve_by_queue(specimen);
  for (int way = 0; way < ways; way++) {
    struct engine_options forced = {0};
    if (way)
      forced = random_options(random, specimen->arena.nodes);
    assert_solves(specimen, &forced, 1 + random_below(random, 2), cells);
  }
  assert_verifies(specimen);
  free(cells);
  specimen_deinit(specimen);
}

static void check_sizes(const uint32_t *sizes, size_t count, int rounds, int ways)
{
  struct random random = {UINT64_C(0x9e3779b97f4a7c15) ^ sizes[0]};
  struct specimen specimen;
  for (int round = 0; round < rounds; round++)
    for (size_t at = 0; at < count; at++) {
      make_mirrored(&specimen, &random, sizes[at]);
      check_specimen(&specimen, &random, ways);
      make_directed(&specimen, &random, sizes[at]);
      check_specimen(&specimen, &random, ways);
    }
}

static void test_small_arenas(void **state)
{
  (void)state;
  static const uint32_t sizes[] = {3, 4, 5, 6, 7, 8, 9, 13, 15, 16, 17, 31, 32, 33};
  check_sizes(sizes, sizeof sizes / sizeof *sizes, 60, 12);
}

static void test_around_a_word(void **state)
{
  (void)state;
  static const uint32_t sizes[] = {62, 63, 64, 65, 66, 127, 128, 129};
  check_sizes(sizes, sizeof sizes / sizeof *sizes, 12, 12);
}

static void test_around_a_tile(void **state)
{
  (void)state;
  static const uint32_t sizes[] = {511, 512, 513, 575, 577, 600};
  check_sizes(sizes, sizeof sizes / sizeof *sizes, 3, 10);
}

static void test_around_four_tiles(void **state)
{
  (void)state;
  static const uint32_t sizes[] = {1023, 1024, 1025};
  check_sizes(sizes, sizeof sizes / sizeof *sizes, 1, 8);
}

static void test_every_way_at_one_size(void **state)
{
  (void)state;
  struct random random = {42};
  struct specimen specimen;
  for (int kind = 0; kind < 10; kind++) {
    if (kind % 2)
      make_directed(&specimen, &random, 130);
    else
      make_mirrored(&specimen, &random, 130);
    uint32_t *cells = solve_by_queue(&specimen);
    struct engine_options forced = {.size = ENGINE_SIZE_LARGE, .share_always = true};
    for (int level = ENGINE_LEVEL_PLAIN; level <= ENGINE_LEVEL_AVX512; level++)
      for (int forall = 0; forall <= ENGINE_FORALL_UNION; forall++)
        for (int way = 0; way < 9; way++) {
          forced.level = (enum engine_level)level;
          forced.forall = (enum engine_forall)forall;
          forced.exists = (enum engine_exists)(way / 3);
          forced.order = (enum engine_order)(way % 3);
          forced.output = (enum engine_output)(1 + (way + forall) % 2);
          if (engine_level_works(forced.level))
            assert_solves(&specimen, &forced, 1 + way % 2, cells);
        }
    free(cells);
    specimen_deinit(&specimen);
  }
}

static void check_cycles(uint32_t mouse_length, uint32_t cat_length, uint32_t width)
{
  struct specimen specimen;
  make_cycles(&specimen, mouse_length, cat_length);
  uint32_t *cells = solve_by_queue(&specimen);
  uint32_t longest = 0;
  for (uint32_t at = 0; at < 2 * specimen.arena.nodes * specimen.arena.nodes; at++)
    longest = cells[at] > longest ? cells[at] : longest;
  assert_int_equal(table_width((longest - 1) / 2), width);
  for (int forall = 0; forall <= ENGINE_FORALL_UNION; forall++)
    for (int order = ENGINE_ORDER_KEEP; order <= ENGINE_ORDER_RENUMBER; order++) {
      struct engine_options forced = {.forall = (enum engine_forall)forall,
                                      .order = (enum engine_order)order,
                                      .output = (enum engine_output)(1 + forall % 2)};
      assert_solves(&specimen, &forced, 1, cells);
    }
  free(cells);
  specimen_deinit(&specimen);
}

static void test_widths(void **state)
{
  (void)state;
  check_cycles(7, 8, 1);
  check_cycles(25, 26, 2);
  check_cycles(40, 41, 2);
  check_cycles(150, 151, 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_arenas),          cmocka_unit_test(test_around_a_word),
      cmocka_unit_test(test_around_a_tile),         cmocka_unit_test(test_around_four_tiles),
      cmocka_unit_test(test_every_way_at_one_size), cmocka_unit_test(test_widths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
