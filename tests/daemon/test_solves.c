/* Solves on real threads: once a puzzle, for all who ask; given up with the last asker; refused when too large. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/solves.h"
#include "solver/solve.h"
#include "tests/daemon/entries.h"

enum { THREADS = 2, SMALL = 40, MEDIUM = 400, LARGE = 3000, ASKERS = 50, AT_ONCE_MAX = 16 };

struct fixture {
  struct cache cache;
  struct workers *workers;
  struct solves solves;
  struct daemon_limits limits;
  sem_t finished; /* posted when workers_collect() has something to do */
};

/* An asker that remembers its answer. */
struct waiter {
  struct asker asker;
  unsigned answers;
  bool solved;
  enum error error;
};

static void on_finished(void *context)
{
  sem_post(&((struct fixture *)context)->finished);
}

static void on_answer(struct asker *asker, struct solved *solved, const struct fault *fault)
{
  struct waiter *waiter = container_of(asker, struct waiter, asker);
  waiter->answers++;
  waiter->solved = solved != NULL;
  waiter->error = fault ? fault->error : ERROR_COUNT;
}

static void fixture_init(struct fixture *fixture)
{
  fixture->limits = daemon_limits_default;
  sem_init(&fixture->finished, 0, 0);
  assert_int_equal(cache_init(&fixture->cache, fixture->limits.cache_bytes), 0);
  assert_int_equal(workers_new("test", THREADS, false, on_finished, fixture, &fixture->workers), 0);
  assert_int_equal(
      solves_init(&fixture->solves, &fixture->cache, fixture->workers, THREADS, &fixture->limits),
      0);
}

static void fixture_deinit(struct fixture *fixture)
{
  workers_free(fixture->workers);
  solves_deinit(&fixture->solves);
  cache_deinit(&fixture->cache);
  sem_destroy(&fixture->finished);
}

/* A path: as slow to solve as puzzles of that size get. */
static struct arena *path(uint32_t nodes)
{
  uint32_t *first = calloc((size_t)nodes + 1, sizeof *first), count = 0;
  int32_t *neighbour = calloc(2 * (size_t)nodes, sizeof *neighbour);
  assert_non_null(first);
  assert_non_null(neighbour);
  for (uint32_t node = 0; node < nodes; node++) {
    first[node] = count;
    if (node > 0)
      neighbour[count++] = (int32_t)node - 1;
    if (node + 1 < nodes)
      neighbour[count++] = (int32_t)node + 1;
  }
  first[nodes] = count;
  struct puzzle puzzle = {
      .game = GAME_GRAPH,
      .graph = {.nodes = nodes, .first = first, .neighbour = neighbour},
  };
  struct arena *arena;
  struct complaint complaint;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  free(neighbour);
  free(first);
  return arena;
}

static int ask(struct fixture *fixture, uint32_t nodes, struct waiter *waiter, struct fault *fault)
{
  struct arena *arena = path(nodes);
  struct id id;
  arena_id(arena, &id);
  *waiter = (struct waiter){.asker.answer = on_answer};
  int result = solves_ask(&fixture->solves, &arena, &id, &waiter->asker, fault);
  arena_free(arena);
  return result;
}

static void collect_until(struct fixture *fixture, const unsigned *answers)
{
  while (*answers == 0) {
    sem_wait(&fixture->finished);
    workers_collect(fixture->workers);
  }
}

static unsigned count_answered(const struct waiter *waiters)
{
  unsigned count = 0;
  for (int i = 0; i < ASKERS; i++)
    count += waiters[i].answers;
  return count;
}

static void test_askers_are_answered_a_few_at_a_time(void **state)
{
  (void)state;
  struct fixture fixture;
  struct waiter waiters[ASKERS];
  struct fault fault;
  fixture_init(&fixture);
  for (int i = 0; i < ASKERS; i++)
    assert_int_equal(ask(&fixture, SMALL, &waiters[i], &fault), 0);
  collect_until(&fixture, &waiters[0].answers);
  assert_in_range(count_answered(waiters), 1, AT_ONCE_MAX);
  solves_leave(&fixture.solves, &waiters[ASKERS - 1].asker, false);
  assert_int_equal(solves_progress(&waiters[ASKERS - 2].asker).states, 2 * SMALL * SMALL);
  for (unsigned before = count_answered(waiters); before < ASKERS - 1;) {
    sem_wait(&fixture.finished);
    solves_continue(&fixture.solves);
    unsigned now = count_answered(waiters);
    assert_in_range(now - before, 1, AT_ONCE_MAX);
    before = now;
  }
  assert_int_equal(waiters[ASKERS - 1].answers, 0);
  assert_int_equal(fixture.cache.in_use_bytes, 0);
  fixture_deinit(&fixture);
}

static void test_equal_puzzles_are_solved_once(void **state)
{
  (void)state;
  struct fixture fixture;
  struct waiter waiters[ASKERS];
  struct fault fault;
  fixture_init(&fixture);
  for (int i = 0; i < ASKERS; i++)
    assert_int_equal(ask(&fixture, SMALL, &waiters[i], &fault), 0);
  collect_until(&fixture, &waiters[0].answers);
  while (waiters[ASKERS - 1].answers == 0)
    solves_continue(&fixture.solves);
  for (int i = 0; i < ASKERS; i++) {
    assert_int_equal(waiters[i].answers, 1);
    assert_true(waiters[i].solved);
  }
  assert_int_equal(fixture.solves.solved, 1);
  fixture_deinit(&fixture);
}

static void test_the_last_asker_leaving_stops_the_solve(void **state)
{
  (void)state;
  struct fixture fixture;
  struct waiter first, second, other;
  struct fault fault;
  fixture_init(&fixture);
  assert_int_equal(ask(&fixture, LARGE, &first, &fault), 0);
  assert_int_equal(ask(&fixture, LARGE, &second, &fault), 0);
  solves_leave(&fixture.solves, &first.asker, false);
  assert_int_equal(fixture.solves.map.count, 1);
  solves_leave(&fixture.solves, &second.asker, false);
  assert_int_equal(fixture.solves.map.count, 0);
  assert_int_equal(ask(&fixture, SMALL, &other, &fault), 0);
  collect_until(&fixture, &other.answers);
  while (fixture.solves.started > 0) {
    sem_wait(&fixture.finished);
    workers_collect(fixture.workers);
  }
  assert_int_equal(first.answers + second.answers, 0);
  assert_int_equal(fixture.solves.solved, 1);
  fixture_deinit(&fixture);
}

static void test_too_large_is_refused_before_it_starts(void **state)
{
  (void)state;
  struct fixture fixture;
  struct waiter waiter;
  struct fault fault;
  fixture_init(&fixture);
  fixture.limits.memory_bytes = 1000;
  assert_true(ask(&fixture, SMALL, &waiter, &fault) < 0);
  assert_int_equal(fault.error, ERROR_TOO_LARGE);
  assert_non_null(strstr(fault.text, "40 nodes need "));
  assert_non_null(strstr(fault.text, "the limit is 1000"));
  assert_int_equal(fixture.solves.started, 0);
  fixture_deinit(&fixture);
}

static void test_leaving_daemon_stops_what_runs(void **state)
{
  (void)state;
  struct fixture fixture;
  struct waiter waiter;
  struct fault fault;
  fixture_init(&fixture);
  assert_int_equal(ask(&fixture, LARGE, &waiter, &fault), 0);
  fixture_deinit(&fixture);
  assert_int_equal(waiter.answers, 1);
}

static uint64_t need_bytes(uint32_t nodes)
{
  struct arena *arena = path(nodes);
  uint64_t bytes = solve_bytes(arena) + arena->bytes;
  arena_free(arena);
  return bytes;
}

static struct solved *solve_now(struct fixture *fixture, uint32_t nodes)
{
  struct waiter waiter;
  struct fault fault;
  assert_int_equal(ask(fixture, nodes, &waiter, &fault), 0);
  collect_until(fixture, &waiter.answers);
  assert_true(waiter.solved);
  return container_of(fixture->cache.recency.next, struct solved, recency);
}

static void test_tables_give_way_only_where_that_makes_room(void **state)
{
  (void)state;
  struct fixture fixture;
  struct waiter waiter;
  struct fault fault;
  fixture_init(&fixture);
  struct solved *held = solve_now(&fixture, MEDIUM);
  const struct id held_id = held->node.id;
  for (uint32_t nodes = SMALL; nodes < SMALL + 10; nodes++)
    solve_now(&fixture, nodes);
  cache_ref(&fixture.cache, held);
  fixture.limits.memory_bytes = need_bytes(LARGE) + held->bytes - 1;
  assert_int_equal(ask(&fixture, LARGE, &waiter, &fault), 0);
  assert_int_equal(fixture.solves.started, 0);
  assert_int_equal(fixture.cache.map.count, 11);

  cache_unref(&fixture.cache, held);
  solves_start_waiting(&fixture.solves);
  assert_int_equal(fixture.solves.started, 0);
  entries_give_back(&fixture.cache);
  solves_continue(&fixture.solves);
  assert_int_equal(fixture.solves.started, 1);
  assert_int_equal(fixture.cache.map.count, 10);
  assert_null(cache_find(&fixture.cache, &held_id));
  fixture_deinit(&fixture);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal_puzzles_are_solved_once),
      cmocka_unit_test(test_askers_are_answered_a_few_at_a_time),
      cmocka_unit_test(test_the_last_asker_leaving_stops_the_solve),
      cmocka_unit_test(test_too_large_is_refused_before_it_starts),
      cmocka_unit_test(test_tables_give_way_only_where_that_makes_room),
      cmocka_unit_test(test_leaving_daemon_stops_what_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
