/*
 * Every way the engine can solve, forced, against a plain queue: random arenas of sizes around the
 * edges of words, lines and tiles; long distances; stopping, bounds on memory, failing allocations.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/engine.h"
#include "tests/support/failing_alloc.h"

struct random {
  uint64_t state;
};

/* Xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled". */
static uint32_t random_below(struct random *random, uint32_t bound)
{
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return (uint32_t)((random->state * UINT64_C(2685821657736338717)) >> 33) % bound;
}

/* An arena with its memory: an adjacency matrix for each player, then lists. */
struct specimen {
  struct arena arena;
  bool *can[2]; /* nodes * nodes: from, to */
  uint32_t *begin[2], *end[2], *to[2];
  uint64_t *sets[4];
};

static void *zeroed(size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size);
  assert_non_null(memory);
  return memory;
}

static void specimen_init(struct specimen *specimen, uint32_t nodes)
{
  *specimen = (struct specimen){.arena = {.nodes = nodes, .endless = OUTCOME_DRAW}};
  for (int set = 0; set < 4; set++)
    specimen->sets[set] = zeroed(nodes / 64 + 1, sizeof(uint64_t));
  for (int player = 0; player < 2; player++) {
    specimen->can[player] = zeroed((size_t)nodes * nodes, sizeof(bool));
    specimen->arena.home[player] = specimen->sets[player];
    specimen->arena.barred[player] = specimen->sets[2 + player];
  }
}

static void specimen_deinit(struct specimen *specimen)
{
  for (int set = 0; set < 4; set++)
    free(specimen->sets[set]);
  for (int player = 0; player < 2; player++) {
    free(specimen->can[player]);
    free(specimen->begin[player]);
    free(specimen->end[player]);
    free(specimen->to[player]);
  }
}

static void set_add(uint64_t *set, uint32_t node)
{
  set[node / 64] |= UINT64_C(1) << node % 64;
}

/* Lists from the matrices; nobody moves to where it is barred. */
static void specimen_list(struct specimen *specimen)
{
  uint32_t nodes = specimen->arena.nodes;
  for (int player = 0; player < 2; player++) {
    uint32_t *begin = zeroed(nodes, sizeof *begin), *end = zeroed(nodes, sizeof *end), count = 0;
    uint32_t *to = zeroed((size_t)nodes * nodes, sizeof *to);
    for (uint32_t from = 0; from < nodes; from++) {
      begin[from] = count;
      for (uint32_t node = 0; node < nodes; node++)
        if (specimen->can[player][(size_t)from * nodes + node] &&
            !node_in(specimen->arena.barred[player], node))
          to[count++] = node;
      end[from] = count;
    }
    specimen->begin[player] = begin;
    specimen->end[player] = end;
    specimen->to[player] = to;
    specimen->arena.moves[player] = (struct moves){begin, end, to};
  }
}

static void allow(struct specimen *specimen, enum player player, uint32_t from, uint32_t to)
{
  specimen->can[player][(size_t)from * specimen->arena.nodes + to] = true;
}

static void allow_edge(struct specimen *specimen, uint32_t one, uint32_t other)
{
  for (int player = 0; player < 2; player++) {
    allow(specimen, (enum player)player, one, other);
    allow(specimen, (enum player)player, other, one);
  }
}

/* As in the graph game: a random graph, tree or path; the hole at node 0. */
static void make_mirrored(struct specimen *specimen, struct random *random, uint32_t nodes)
{
  specimen_init(specimen, nodes);
  specimen->arena.mirrored = true;
  set_add(specimen->sets[PLAYER_MOUSE], 0);
  set_add(specimen->sets[2 + PLAYER_CAT], 0);
  uint32_t kind = random_below(random, 4);
  for (uint32_t node = 1; node < nodes && kind; node++)
    allow_edge(specimen, node, kind == 1 ? node - 1 : random_below(random, node));
  uint32_t edges = kind == 0   ? nodes * (2 + random_below(random, 6))
                   : kind == 3 ? random_below(random, nodes * nodes / 4)
                               : random_below(random, 4);
  for (uint32_t edge = 0; edge < edges; edge++) {
    uint32_t one = random_below(random, nodes), other = random_below(random, nodes);
    if (one != other)
      allow_edge(specimen, one, other);
  }
  specimen_list(specimen);
}

/* Anything: moves of their own for both, staying, homes and barred nodes for both, stuck players. */
static void make_directed(struct specimen *specimen, struct random *random, uint32_t nodes)
{
  specimen_init(specimen, nodes);
  for (int set = 0; set < 4; set++)
    for (uint32_t count = random_below(random, 3); count > 0; count--)
      set_add(specimen->sets[set], random_below(random, nodes));
  for (int player = 0; player < 2; player++) {
    uint32_t moves = nodes * (1 + random_below(random, 4));
    for (uint32_t move = 0; move < moves; move++)
      allow(specimen, (enum player)player, random_below(random, nodes),
            random_below(random, nodes));
  }
  specimen_list(specimen);
}

/* Mouse and cat go round on cycles that share one node, so they meet after very long. */
static void make_cycles(struct specimen *specimen, uint32_t mouse_length, uint32_t cat_length)
{
  uint32_t nodes = mouse_length + cat_length - 1;
  specimen_init(specimen, nodes);
  for (uint32_t node = 0; node < mouse_length; node++)
    allow(specimen, PLAYER_MOUSE, node, (node + 1) % mouse_length);
  for (uint32_t node = 0; node < cat_length; node++)
    allow(specimen, PLAYER_CAT, node ? mouse_length - 1 + node : 0,
          (node + 1) % cat_length ? mouse_length + node : 0);
  specimen_list(specimen);
}

/* The textbook: a queue of decided states and counters of moves not yet lost. */
struct queue_solver {
  const struct specimen *specimen;
  uint32_t nodes;
  uint32_t *cells; /* as in solver/table.h */
  uint32_t *moves_left;
  uint32_t *queue;
  size_t head, tail;
};

static size_t state_at(const struct queue_solver *solver, int turn, uint32_t mouse, uint32_t cat)
{
  return ((size_t)turn * solver->nodes + mouse) * solver->nodes + cat;
}

static void decide(struct queue_solver *solver, size_t state, uint32_t cell)
{
  solver->cells[state] = cell;
  solver->queue[solver->tail++] = (uint32_t)state;
}

static bool stands(const struct arena *arena, uint32_t mouse, uint32_t cat)
{
  return !node_in(arena->barred[PLAYER_MOUSE], mouse) && !node_in(arena->barred[PLAYER_CAT], cat);
}

static uint32_t over_cell(const struct arena *arena, uint32_t mouse, uint32_t cat)
{
  if (mouse == cat)
    return cell_of(PLAYER_CAT, 0);
  if (node_in(arena->home[PLAYER_MOUSE], mouse))
    return cell_of(PLAYER_MOUSE, 0);
  return node_in(arena->home[PLAYER_CAT], cat) ? cell_of(PLAYER_CAT, 0) : 0;
}

static void decide_ends(struct queue_solver *solver)
{
  const struct arena *arena = &solver->specimen->arena;
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t mouse = 0; mouse < solver->nodes; mouse++)
      for (uint32_t cat = 0; cat < solver->nodes; cat++) {
        uint32_t node = turn ? cat : mouse;
        size_t state = state_at(solver, turn, mouse, cat);
        solver->moves_left[state] = arena->moves[turn].end[node] - arena->moves[turn].begin[node];
        if (stands(arena, mouse, cat) && over_cell(arena, mouse, cat))
          decide(solver, state, over_cell(arena, mouse, cat));
      }
}

static void reach(struct queue_solver *solver, size_t state, int mover, uint32_t cell)
{
  if (solver->cells[state])
    return;
  if ((int)((cell - 1) & 1) == mover || --solver->moves_left[state] == 0)
    decide(solver, state, cell + 2);
}

static void spread(struct queue_solver *solver, size_t state)
{
  const struct arena *arena = &solver->specimen->arena;
  uint32_t nodes = solver->nodes, cell = solver->cells[state];
  int mover = state < (size_t)nodes * nodes; /* whoever moved into the state */
  uint32_t mouse = (uint32_t)(state / nodes % nodes), cat = (uint32_t)(state % nodes);
  uint32_t node = mover ? cat : mouse;
  for (uint32_t from = 0; from < nodes; from++) {
    if (!solver->specimen->can[mover][(size_t)from * nodes + node])
      continue;
    uint32_t from_mouse = mover ? mouse : from, from_cat = mover ? from : cat;
    if (stands(arena, from_mouse, from_cat))
      reach(solver, state_at(solver, mover, from_mouse, from_cat), mover, cell);
  }
}

/* The caller frees the cells. */
static uint32_t *solve_by_queue(const struct specimen *specimen)
{
  size_t states = 2 * (size_t)specimen->arena.nodes * specimen->arena.nodes;
  struct queue_solver solver = {specimen,
                                specimen->arena.nodes,
                                zeroed(states, sizeof(uint32_t)),
                                zeroed(states, sizeof(uint32_t)),
                                zeroed(states, sizeof(uint32_t)),
                                0,
                                0};
  decide_ends(&solver);
  while (solver.head < solver.tail)
    spread(&solver, solver.queue[solver.head++]);
  free(solver.moves_left);
  free(solver.queue);
  return solver.cells;
}

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
      fail_msg("%u nodes, level %d, size %d, forall %d, exists %d, order %d, %u threads: mouse %u, "
               "cat %u, turn %d is %u, should be %u",
               nodes, forced->level, forced->size, forced->forall, forced->exists, forced->order,
               threads, state.mouse, state.cat, state.turn, cell, cells[at]);
    longest = cell > longest ? cell : longest;
  }
  assert_int_equal(table->width, longest ? table_width((longest - 1) / 2) : 1);
  table_free(table);
}

static enum engine_level random_level(struct random *random)
{
  enum engine_level level;
  do
    level = (enum engine_level)random_below(random, ENGINE_LEVEL_AVX512 + 1);
  while (!engine_level_works(level));
  return level;
}

static struct engine_options random_options(struct random *random, uint32_t nodes)
{
  return (struct engine_options){
      .level = random_level(random),
      .size = (enum engine_size)random_below(random, nodes <= 64 ? 3 : 1),
      .forall = (enum engine_forall)random_below(random, ENGINE_FORALL_UNION + 1),
      .exists = (enum engine_exists)random_below(random, ENGINE_EXISTS_PULL + 1),
      .order = (enum engine_order)random_below(random, ENGINE_ORDER_RENUMBER + 1),
      .share_always = true,
  };
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
  static const uint32_t sizes[] = {511, 512, 513, 600};
  check_sizes(sizes, sizeof sizes / sizeof *sizes, 1, 12);
}

static void test_every_way_at_one_size(void **state)
{
  (void)state;
  struct random random = {42};
  struct specimen specimen;
  for (int kind = 0; kind < 6; kind++) {
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
                                      .order = (enum engine_order)order};
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

static void check_failing_allocations(const struct specimen *specimen,
                                      const struct engine_options *forced)
{
  struct solve_options options = {.threads = 1}; /* failures are counted by thread */
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    struct table *table = NULL;
    failing_alloc_arm(nth);
    int error = engine_solve(&specimen->arena, &options, forced, &table);
    failed = failing_alloc_disarm();
    assert_int_equal(error, failed ? -ENOMEM : 0);
    assert_int_equal(failing_alloc_outstanding(), failed ? 0 : 1);
    assert_true(failed == !table);
    table_free(table);
  }
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
    check_failing_allocations(&specimen, &forced);
    specimen_deinit(&specimen);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_arenas),    cmocka_unit_test(test_around_a_word),
      cmocka_unit_test(test_around_a_tile),   cmocka_unit_test(test_every_way_at_one_size),
      cmocka_unit_test(test_widths),          cmocka_unit_test(test_stopped_before),
      cmocka_unit_test(test_stopped_within),  cmocka_unit_test(test_progress_counts_every_state),
      cmocka_unit_test(test_bound_on_memory), cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
