/* The loop's part is played by the test's own thread, which waits for the store's. */
#include "tests/daemon/store/side.h"

#include <time.h>

#include "tests/support/failing_alloc.h"

enum { DEADLINE_S = 60 };

void side_wake(void *context)
{
  sem_post(&((struct side *)context)->woken);
}

void side_released(void *context)
{
  (void)context;
}

void side_start(struct side *side, const struct test_folder *folder)
{
  const struct store_options options = {
      .folder = folder->store,
      .limits = &side->limits,
      .log = &side->log,
      .cache = &side->cache,
      .wake = side_wake,
      .released = side_released,
      .context = side,
  };
  assert_int_equal(store_new(&options, &side->store), 0);
}

void side_init(struct side *side, const struct test_folder *folder)
{
  *side = (struct side){
      .limits = daemon_limits_default, .log = {.level = LOG_ERROR}, .failing_nth = -1};
  side->limits.store_read_rate = 0;
  sem_init(&side->woken, 0, 0);
  assert_int_equal(cache_init(&side->cache, side->limits.cache_bytes), 0);
  side_start(side, folder);
}

void side_pump(struct side *side)
{
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += DEADLINE_S;
  if (sem_timedwait(&side->woken, &deadline) < 0)
    fail_msg("waited %d s for the store", DEADLINE_S);
  store_collect(side->store);
}

void side_settle(struct side *side)
{
  while (!store_is_loaded(side->store) || !store_is_idle(side->store) || side->store->sweeping ||
         side->store->scanning)
    side_pump(side);
}

void side_tick(struct side *side, uint64_t ms)
{
  side->now_ms += ms;
  store_tick(side->store, side->now_ms);
  side_settle(side);
}

void side_stop(struct side *side)
{
  side_settle(side);
  store_tick(side->store, side->now_ms);
  side_settle(side);
  store_free(side->store);
  cache_shrink(&side->cache, 0, SIZE_MAX);
}

void side_deinit(struct side *side)
{
  side_stop(side);
  cache_deinit(&side->cache);
  sem_destroy(&side->woken);
}

void side_restart(struct side *side, const struct test_folder *folder)
{
  side_stop(side);
  side_start(side, folder);
  side_settle(side);
}

void side_keep(struct side *side, uint64_t seed, struct id *id)
{
  struct test_puzzle puzzle;
  struct place place;
  test_puzzle_init(&puzzle, seed);
  *id = puzzle.id;
  failing_alloc_arm(side->failing_nth);
  int result = store_write_puzzle(side->store, puzzle.arena, id, &place);
  failing_alloc_disarm();
  struct solved *solved = cache_find(&side->cache, id);
  if (solved) {
    test_puzzle_deinit(&puzzle);
    return;
  }
  solved = cache_add(&side->cache, id, puzzle.arena, puzzle.table);
  assert_non_null(solved);
  solved->solve_us = seed;
  failing_alloc_arm(side->failing_nth);
  store_add(side->store, solved, result == 0 ? &place : NULL);
  failing_alloc_disarm();
  cache_unref(&side->cache, solved);
}

void side_fill_segment(struct side *side)
{
  struct place place;
  uint8_t *filler = calloc(1, SEGMENT_BYTES);
  assert_non_null(filler);
  assert_int_equal(puzzle_log_append_record(&side->store->log, filler, SEGMENT_BYTES, &place), 0);
  free(filler);
}

void side_set_damaged(struct side *side, uint32_t segment)
{
  struct segment_use *use = index_segment(&side->store->index, segment);
  assert_non_null(use);
  use->damaged = true;
}

void side_forget(struct side *side, const struct id *id)
{
  struct reading forgotten = {.waiter.done = reading_done};
  uint64_t bytes;
  assert_int_equal(store_forget(side->store, id, &forgotten.waiter, &bytes), 0);
  while (!forgotten.done)
    side_pump(side);
}

void side_clear(struct side *side)
{
  struct reading cleared = {.waiter.done = reading_done};
  assert_int_equal(store_clear(side->store, &cleared.waiter), 0);
  while (!cleared.done)
    side_pump(side);
}

enum store_state side_state(struct side *side)
{
  struct store_status status;
  store_status(side->store, &status);
  return status.state;
}

unsigned side_damaged(struct side *side)
{
  struct store_status status;
  store_status(side->store, &status);
  return (unsigned)status.damaged;
}

void reading_done(struct store_waiter *waiter)
{
  container_of(waiter, struct reading, waiter)->done = true;
}

struct arena *side_read_puzzle(struct side *side, const struct id *id)
{
  struct arena *arena = NULL;
  struct stored *stored;
  while (!arena && (stored = store_find(side->store, id))) {
    struct reading reading = {.waiter.done = reading_done};
    assert_int_equal(store_read_puzzle(side->store, stored, &reading.waiter), 0);
    while (!reading.done)
      side_pump(side);
    arena = reading.waiter.arena;
  }
  return arena;
}

void side_assert_puzzle_kept(struct side *side, uint64_t seed)
{
  struct test_puzzle puzzle;
  test_puzzle_init(&puzzle, seed);
  struct arena *arena = side_read_puzzle(side, &puzzle.id);
  if (!arena)
    fail_msg("puzzle %llu is gone", (unsigned long long)seed);
  arena_free(arena);
  test_puzzle_deinit(&puzzle);
}

void side_assert_kept(struct side *side, uint64_t seed)
{
  struct test_puzzle puzzle;
  struct table *table = NULL;
  uint64_t solve_us = 0;
  test_puzzle_init(&puzzle, seed);
  struct arena *arena = side_read_puzzle(side, &puzzle.id);
  if (!arena) {
    fail_msg("puzzle %llu is gone", (unsigned long long)seed);
    abort(); /* cmocka does not say that it never gets here */
  }
  assert_int_equal(arena->nodes, puzzle.arena->nodes);
  assert_true(store_may_have_table(side->store, &puzzle.id));
  assert_int_equal(
      store_read_table(side->store, &puzzle.id, arena->nodes, UINT64_MAX, NULL, &table, &solve_us),
      0);
  assert_int_equal(solve_us, seed);
  assert_memory_equal(table->cells, puzzle.table->cells, table_bytes(table->nodes, table->width));
  table_free(table);
  arena_free(arena);
  test_puzzle_deinit(&puzzle);
}

void side_wait_for_scan(struct side *side)
{
  struct reading reading = {.waiter.done = reading_done};
  store_wait(side->store, &reading.waiter);
  while (!reading.done)
    side_pump(side);
}

void start_one(struct test_folder *folder, struct side *side, struct id *id)
{
  test_folder_init(folder);
  side_init(side, folder);
  side_keep(side, 1, id);
  side_settle(side);
}

void stop_one(struct test_folder *folder, struct side *side)
{
  side_deinit(side);
  test_folder_deinit(folder);
}
