/*
 * Solves, one a puzzle for all who ask: given up with the last asker, answered a few at a time, waiting for memory
 * in turn, refused where they could never fit. How long a solve takes, and what the clock says, is the test's to say.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "solver/solve.h"
#include "tests/daemon/held_solve.h"
#include "tests/daemon/solves/fixture.h"
#include "tests/support/wrap.h"

enum { SMALL = 30, LARGE = 600, ASKERS = 50, AT_ONCE_MAX = 16, PARTS = 10 };

/* An asker that remembers its answer. */
struct waiter {
  struct asker asker;
  unsigned answers;
  bool solved;
  struct fault fault;
};

static atomic_uint passed_s; /* by the clock, which stands still otherwise */

uint64_t __wrap_uv_hrtime(void);

uint64_t __wrap_uv_hrtime(void)
{
  return (1 + atomic_load(&passed_s)) * UINT64_C(1000000000);
}

static void pass_seconds(unsigned seconds)
{
  atomic_fetch_add(&passed_s, seconds);
}

static void on_answer(struct asker *asker, struct solved *solved, const struct fault *fault)
{
  struct waiter *waiter = container_of(asker, struct waiter, asker);
  waiter->answers++;
  waiter->solved = solved != NULL;
  assert_true(waiter->solved == !fault);
  if (fault)
    waiter->fault = *fault;
}

/* As the daemon does in each round of its loop. True where the next comes at once. */
static bool go_round(struct fixture *fixture)
{
  workers_collect(fixture->workers);
  workers_collect(fixture->helpers);
  bool again = solves_continue(&fixture->solves);
  again |= memory_tend(&fixture->memory);
  if (again)
    sem_post(&fixture->woken);
  return again;
}

static void go_on_until(struct fixture *fixture, const unsigned *count)
{
  while (*count == 0) {
    sem_wait(&fixture->woken);
    go_round(fixture);
  }
}

static int ask(struct fixture *fixture, uint32_t nodes, struct waiter *waiter)
{
  struct posed posed = {.arena = path_arena(nodes)};
  arena_id(posed.arena, &posed.id);
  *waiter = (struct waiter){.asker.answer = on_answer};
  int result = solves_ask(&fixture->solves, &posed, &waiter->asker, &waiter->fault);
  posed_drop(&posed, &fixture->memory);
  return result;
}

static void ask_well(struct fixture *fixture, uint32_t nodes, struct waiter *waiter)
{
  assert_int_equal(ask(fixture, nodes, waiter), 0);
}

static void ask_held(struct fixture *fixture, struct waiter *waiter)
{
  ask_well(fixture, HELD_NODES, waiter);
  sem_wait(&held_solves.begun);
}

static void expect_refusal(struct fixture *fixture, uint32_t nodes, enum error error,
                           const char *why)
{
  struct waiter waiter;
  uint64_t charged_bytes = fixture->memory.charged_bytes;
  assert_int_equal(ask(fixture, nodes, &waiter), -EBADMSG);
  assert_int_equal(waiter.fault.error, error);
  assert_non_null(strstr(waiter.fault.text, why));
  assert_int_equal(fixture->memory.charged_bytes, charged_bytes);
}

static void expect_answer(struct fixture *fixture, struct waiter *waiter)
{
  go_on_until(fixture, &waiter->answers);
  assert_int_equal(waiter->answers, 1);
  if (!waiter->solved)
    fail_msg("not solved: %s", waiter->fault.text);
}

static void let_go(struct fixture *fixture, struct waiter *waiter)
{
  sem_post(&held_solves.let_go);
  expect_answer(fixture, waiter);
}

static void expect_fault(struct fixture *fixture, struct waiter *waiter, enum error error)
{
  go_on_until(fixture, &waiter->answers);
  assert_int_equal(waiter->answers, 1);
  assert_false(waiter->solved);
  assert_int_equal(waiter->fault.error, error);
}

/* Of the whole solve, or of the narrowest table; its arena too. */
static uint64_t bytes_of(uint32_t nodes, bool is_table)
{
  struct arena *arena = path_arena(nodes);
  uint64_t bytes = arena->bytes + (is_table ? table_bytes(nodes, 1) : solve_bytes(arena));
  arena_free(arena);
  return bytes;
}

static uint64_t need_bytes(uint32_t nodes)
{
  return bytes_of(nodes, false);
}

static unsigned count_answered(const struct waiter *waiters)
{
  unsigned count = 0;
  for (int i = 0; i < ASKERS; i++)
    count += waiters[i].answers;
  return count;
}

CASE(solved_once_and_answered_a_few_at_a_time)
{
  struct fixture *fixture = *state;
  struct waiter waiters[ASKERS];
  for (int i = 0; i < ASKERS; i++)
    ask_well(fixture, SMALL, &waiters[i]);
  unsigned before = 0;
  bool has_left = false;
  while (before < ASKERS - 1) {
    sem_wait(&fixture->woken);
    go_round(fixture);
    unsigned now = count_answered(waiters);
    assert_true(now - before <= 2 * AT_ONCE_MAX); /* the round of the last one's end, and its own */
    if (now > 0 && !has_left) {
      assert_int_equal(asker_progress(&waiters[ASKERS - 1].asker).states, 2 * SMALL * SMALL);
      solves_leave(&waiters[ASKERS - 1].asker);
      has_left = true;
    }
    before = now;
  }
  for (int i = 0; i < ASKERS; i++) {
    assert_int_equal(waiters[i].answers, i < ASKERS - 1);
    assert_int_equal(waiters[i].solved, i < ASKERS - 1);
  }
  assert_int_equal(fixture->solves.solved, 1);
  go_round(fixture);
  assert_int_equal(fixture->cache.in_use_bytes, 0);
}

CASE(the_last_asker_leaving_stops_the_solve)
{
  struct fixture *fixture = *state;
  struct waiter first, second, again;
  ask_well(fixture, HELD_NODES, &first);
  ask_held(fixture, &second);
  solves_leave(&first.asker);
  assert_int_equal(fixture->solves.map.count, 1);
  solves_leave(&second.asker);
  assert_int_equal(fixture->solves.map.count, 0);
  ask_well(fixture, HELD_NODES, &again); /* nobody joins one that stops */
  sem_wait(&held_solves.stopped);
  sem_wait(&held_solves.begun);
  let_go(fixture, &again);
  assert_int_equal(first.answers + second.answers, 0);
  assert_int_equal(fixture->solves.solved, 1);
}

/* As many as there may be in the pool are held; others wait. */
static void hold_the_pool(struct fixture *fixture, struct waiter *waiters)
{
  for (uint32_t i = 0; i < 2 * THREADS; i++)
    ask_well(fixture, HELD_NODES + i, &waiters[i]);
  assert_int_equal(fixture->solves.count[SOLVE_RUNNING], 2 * THREADS);
}

static void let_all_go(struct fixture *fixture, struct waiter *waiters)
{
  for (int i = 0; i < 2 * THREADS; i++)
    sem_post(&held_solves.let_go);
  for (int i = 0; i < 2 * THREADS; i++)
    expect_answer(fixture, &waiters[i]);
}

static void expect_listed(const struct listed_table *entry, uint32_t nodes)
{
  struct arena *arena = path_arena(nodes);
  struct id id;
  char digits[ID_TEXT + 1];
  arena_id(arena, &id);
  id_format(&id, digits);
  assert_int_equal(entry->nodes, nodes);
  assert_int_equal(entry->where, PLACE_SOLVING);
  assert_int_equal(entry->progress.states, arena_states(arena));
  assert_string_equal(entry->id, digits);
  arena_free(arena);
}

CASE(those_that_run_are_seen_before_those_that_wait)
{
  struct fixture *fixture = *state;
  struct waiter held[2 * THREADS], waiting[3];
  struct listed_table seen[2 * THREADS + 3];
  hold_the_pool(fixture, held);
  for (uint32_t i = 0; i < 3; i++)
    ask_well(fixture, SMALL + i, &waiting[i]);
  solves_leave(&waiting[1].asker);
  solves_leave(&held[1].asker);
  const uint32_t expected[] = {HELD_NODES, HELD_NODES + 2, HELD_NODES + 3, SMALL, SMALL + 2};
  assert_int_equal(solves_list(&fixture->solves, seen, 2 * THREADS + 3), 5);
  for (int i = 0; i < 5; i++)
    expect_listed(&seen[i], expected[i]);
  assert_int_equal(solves_list(&fixture->solves, seen, 1), 1);
  expect_listed(&seen[0], HELD_NODES);
  ask_well(fixture, HELD_NODES + 1, &held[1]);
  let_all_go(fixture, held);
  expect_answer(fixture, &waiting[2]);
}

CASE(the_queue_has_an_end)
{
  struct fixture *fixture = *state;
  struct waiter held[2 * THREADS], waiting, joined;
  fixture->limits.queued_solves = 1;
  hold_the_pool(fixture, held);
  ask_well(fixture, SMALL, &waiting);
  expect_refusal(fixture, SMALL + 1, ERROR_BUSY, "1 solves are waiting already (--queue-max)");
  ask_well(fixture, SMALL, &joined); /* takes no place in it */
  solves_leave(&waiting.asker);
  solves_leave(&joined.asker);
  ask_well(fixture, SMALL + 1, &waiting);
  let_all_go(fixture, held);
  expect_answer(fixture, &waiting);
}

/* It begins again with twice as much each time, at last with all there is, and is too large where that is too little. */
CASE(one_that_outgrows_its_charge_begins_again)
{
  struct fixture *fixture = *state;
  struct waiter waiter, joined;
  struct arena *arena = path_arena(SMALL);
  uint64_t all_bytes = 100 * need_bytes(SMALL) - arena->bytes;
  fixture->limits.memory_bytes = 100 * need_bytes(SMALL);
  atomic_store(&held_solves.outgrow_bytes, all_bytes);
  arena_free(arena);
  ask_well(fixture, SMALL, &waiter);
  ask_well(fixture, SMALL, &joined);
  expect_answer(fixture, &waiter);
  expect_answer(fixture, &joined);
  unsigned count = atomic_load(&held_solves.outgrown);
  assert_in_range(count, 2, 10);
  for (unsigned i = 1; i < count; i++)
    assert_true(held_solves.allowed_bytes[i] >= 2 * held_solves.allowed_bytes[i - 1] ||
                held_solves.allowed_bytes[i] == all_bytes);
  assert_int_equal(held_solves.allowed_bytes[count - 1], all_bytes);
  assert_int_equal(fixture->memory.charged_bytes, 0);
  atomic_store(&held_solves.outgrow_bytes, UINT64_MAX);
  ask_well(fixture, SMALL + 1, &waiter);
  expect_fault(fixture, &waiter, ERROR_TOO_LARGE);
  assert_non_null(strstr(waiter.fault.text, "--memory-max"));
  assert_int_equal(fixture->memory.charged_bytes, 0);
}

/* It outgrew its charge while all the rest was in use: it waits for that instead of being refused. */
CASE(one_that_outgrows_waits_for_what_runs)
{
  struct fixture *fixture = *state;
  struct waiter held, waiter;
  ask_held(fixture, &held);
  uint64_t held_bytes = fixture->memory.charged_bytes;
  fixture->limits.memory_bytes = held_bytes + 3 * need_bytes(SMALL);
  atomic_store(&held_solves.outgrow_bytes, 3 * need_bytes(SMALL));
  ask_well(fixture, SMALL, &waiter);
  while (fixture->solves.count[SOLVE_RUNNING] > 1 || fixture->solves.count[SOLVE_WAITING] == 0) {
    sem_wait(&fixture->woken);
    go_round(fixture);
  }
  assert_int_equal(waiter.answers, 0);
  let_go(fixture, &waiter);
  assert_int_equal(held.answers, 1);
}

/* The large one needs the memory of the one that runs; the small ones would fit beside that. */
CASE(small_ones_pass_a_large_one_for_a_second)
{
  struct fixture *fixture = *state;
  struct waiter held, large, small[2];
  fixture->limits.memory_bytes = need_bytes(LARGE) + need_bytes(SMALL);
  ask_held(fixture, &held);
  ask_well(fixture, LARGE, &large);
  ask_well(fixture, SMALL, &small[0]);
  expect_answer(fixture, &small[0]);
  pass_seconds(1);
  ask_well(fixture, SMALL + 1, &small[1]);
  go_round(fixture);
  assert_int_equal(fixture->solves.count[SOLVE_RUNNING], 1);
  let_go(fixture, &held);
  go_on_until(fixture, &fixture->solves.count[SOLVE_RUNNING]);
  sem_wait(&held_solves.begun);
  assert_int_equal(small[1].answers, 0);
  let_go(fixture, &large);
  expect_answer(fixture, &small[1]);
}

/* Each needs all the memory but for its own arena, so neither fits beside the other's. */
CASE(the_last_gives_way_where_none_fits)
{
  struct fixture *fixture = *state;
  struct waiter held, first, last;
  fixture->limits.memory_bytes = need_bytes(LARGE);
  ask_held(fixture, &held);
  ask_well(fixture, LARGE, &first);
  ask_well(fixture, LARGE - 1, &last);
  pass_seconds(9);
  go_round(fixture);
  let_go(fixture, &held);
  for (int round = 0; round < 10; round++)
    go_round(fixture);
  assert_int_equal(first.answers + last.answers, 0);
  pass_seconds(1);
  go_round(fixture);
  assert_int_equal(first.answers, 0);
  expect_fault(fixture, &last, ERROR_BUSY);
  let_go(fixture, &first);
}

CASE(no_room_even_to_wait)
{
  struct fixture *fixture = *state;
  struct waiter held;
  fixture->limits.memory_bytes = 5000;
  expect_refusal(fixture, 3000, ERROR_TOO_LARGE, "3000 nodes need at least ");
  expect_refusal(fixture, 3000, ERROR_TOO_LARGE, " MB to solve, but --memory-max allows 5.0 kB");
  fixture->limits.memory_bytes = need_bytes(HELD_NODES) - 1;
  expect_refusal(fixture, HELD_NODES, ERROR_TOO_LARGE, "--memory-max");
  fixture->limits.memory_bytes++;
  fixture->limits.cache_bytes = bytes_of(HELD_NODES, true) - 1;
  expect_refusal(fixture, HELD_NODES, ERROR_TOO_LARGE, "but --cache-max allows ");
  fixture->limits.cache_bytes++;
  ask_held(fixture, &held);
  expect_refusal(fixture, SMALL, ERROR_BUSY, "all of --memory-max");
  let_go(fixture, &held);
}

CASE(one_that_takes_too_long_is_stopped)
{
  struct fixture *fixture = *state;
  struct waiter waiter;
  fixture->limits.solve_ms = 1000;
  ask_held(fixture, &waiter);
  solves_stop_overdue(&fixture->solves);
  assert_int_equal(sem_trywait(&held_solves.stopped), -1);
  pass_seconds(1);
  solves_stop_overdue(&fixture->solves);
  expect_fault(fixture, &waiter, ERROR_TIMEOUT);
  assert_non_null(strstr(waiter.fault.text, "50 nodes were not solved within the 1.0 s"));
}

CASE(tables_give_way_only_where_that_makes_room)
{
  struct fixture *fixture = *state;
  struct waiter waiters[PARTS], large;
  for (uint32_t i = 0; i < PARTS; i++) {
    ask_well(fixture, SMALL + i, &waiters[i]);
    expect_answer(fixture, &waiters[i]);
  }
  struct solved *kept = container_of(fixture->cache.recency.next, struct solved, recency);
  cache_ref(&fixture->cache, kept);
  fixture->limits.memory_bytes = need_bytes(LARGE) + kept->bytes - 1;
  ask_well(fixture, LARGE, &large);
  for (int round = 0; round < 10; round++)
    go_round(fixture);
  assert_int_equal(fixture->solves.count[SOLVE_RUNNING], 0);
  cache_unref(&fixture->cache, kept);
  sem_post(&held_solves.let_go);
  sem_post(&fixture->woken);
  expect_answer(fixture, &large);
  assert_true(fixture->cache.map.count < PARTS + 1);
}

static int start(void **state)
{
  held_solves_init();
  atomic_store(&passed_s, 0);
  return fixture_setup(state);
}

static int stop(void **state)
{
  fixture_teardown(state);
  held_solves_deinit();
  return 0;
}

CASE(leaving_stops_what_runs)
{
  static struct waiter running, waiting; /* outlive the solves */
  struct fixture *fixture = *state;
  ask_held(fixture, &running);
  solves_close(&fixture->solves);
  ask_well(fixture, SMALL, &waiting);
  solves_leave(&waiting.asker);
  workers_free(fixture->workers);
  assert_int_equal(workers_new("test", 1, false, fixture_wake, fixture, &fixture->workers), 0);
  solves_continue(&fixture->solves);
  assert_int_equal(running.answers, 1);
  assert_int_equal(running.fault.error, ERROR_DRAINING);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, start, stop)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(solved_once_and_answered_a_few_at_a_time),
      TEST(the_last_asker_leaving_stops_the_solve),
      TEST(those_that_run_are_seen_before_those_that_wait),
      TEST(the_queue_has_an_end),
      TEST(one_that_outgrows_its_charge_begins_again),
      TEST(one_that_outgrows_waits_for_what_runs),
      TEST(small_ones_pass_a_large_one_for_a_second),
      TEST(the_last_gives_way_where_none_fits),
      TEST(no_room_even_to_wait),
      TEST(one_that_takes_too_long_is_stopped),
      TEST(tables_give_way_only_where_that_makes_room),
      TEST(leaving_stops_what_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
