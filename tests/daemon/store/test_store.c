/* What a store is for: what was kept is found, listed and forgotten, now and after a restart. */
#include <errno.h>
#include <sys/stat.h>

#include "solver/packed.h"
#include "tests/daemon/store/side.h"

static void on_done(struct store_request *request)
{
  ((struct asked *)request)->done = true;
}

static void test_kept_is_found(void **state)
{
  (void)state;
  struct side side;
  struct stat status;
  side_init(&side);
  assert_false(side_has(&side, 1));
  side_keep_all(&side, 0, 50);
  side_keep(&side, 3); /* once more: still one */
  assert_int_equal(side_has_of(&side, 0, 51), 50);
  assert_int_equal(side_numbers(&side).puzzles, 50);
  side_reopen(&side);
  assert_int_equal(side_has_of(&side, 0, 51), 50);
  assert_int_equal(side_numbers(&side).condition, STORE_CONDITION_ON);
  assert_int_equal(side_numbers(&side).puzzles, 50);
  assert_int_equal(stat(side.folder, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0700);
  assert_string_equal(side.log, "");
  side_deinit(&side);
}

struct start {
  uint32_t digits; /* the first six of an id */
  uint32_t seed;
};

static int compare_starts(const void *left, const void *right)
{
  const struct start *a = left, *b = right;
  return a->digits != b->digits ? a->digits < b->digits ? -1 : 1 : 0;
}

/* Two seeds whose ids begin with the same six digits. */
static void find_alike(uint64_t seeds[2])
{
  enum { SEEDS = 20000 };
  static struct start starts[SEEDS];
  struct id id;
  for (uint32_t seed = 0; seed < SEEDS; seed++) {
    arena_free(puzzle_of(seed, &id));
    starts[seed] =
        (struct start){(uint32_t)(id.bytes[0] << 16 | id.bytes[1] << 8 | id.bytes[2]), seed};
  }
  qsort(starts, SEEDS, sizeof *starts, compare_starts);
  uint32_t i = 1;
  while (i < SEEDS && starts[i].digits != starts[i - 1].digits)
    i++;
  assert_true(i < SEEDS);
  seeds[0] = starts[i].seed;
  seeds[1] = starts[i - 1].seed;
}

/* Two ids that begin alike are told apart by more digits, and found by few where one is there alone. */
static void test_prefixes(void **state)
{
  (void)state;
  struct side side;
  struct asked asked;
  uint64_t seeds[2];
  find_alike(seeds);
  side_init(&side);
  side_keep(&side, seeds[0]);
  for (size_t length = ID_PREFIX_MIN; length <= ID_TEXT; length++)
    assert_int_equal(side_count(&side, seeds[0], length), 1);
  assert_int_equal(side_begin_keep(&side, seeds[1], &asked), 0); /* in memory or on disk */
  assert_int_equal(side_count(&side, seeds[0], ID_PREFIX_MIN), 2);
  side_wait(&side, &asked);
  assert_int_equal(side_count(&side, seeds[0], ID_PREFIX_MIN), 2);
  assert_int_equal(side_count(&side, seeds[0], 20), 1);
  assert_int_equal(side_count(&side, seeds[1], 21), 1);
  assert_int_equal(side_forget(&side, seeds[0]), 1);
  assert_int_equal(side_count(&side, seeds[1], ID_PREFIX_MIN), 1);
  side_deinit(&side);
}

static void test_list_and_touch(void **state)
{
  (void)state;
  struct side side;
  struct id id;
  struct asked asked = {.request.done = on_done};
  side_init(&side);
  side_keep_all(&side, 0, 20);
  side_sql(&side, "UPDATE puzzles SET used = used - 86400 + number");
  arena_free(puzzle_of(4, &id));
  store_touch(side.store, &id);
  side_reopen(&side);
  assert_int_equal(store_list(side.store, &asked.request, 5), 0);
  assert_int_equal(side_wait(&side, &asked), 0);
  assert_int_equal(asked.request.count, 5);
  const struct store_row *rows = asked.request.rows;
  assert_memory_equal(&rows[0].id, &id, sizeof id);
  for (uint64_t i = 1; i < 5; i++) {
    struct arena *arena = puzzle_of(20 - i, &id);
    assert_memory_equal(&rows[i].id, &id, sizeof id);
    assert_int_equal(rows[i].nodes, arena->nodes);
    assert_int_equal(rows[i].game, arena->game);
    assert_true(rows[i].bytes > arena_packed_bytes(arena));
    assert_true(rows[i].used_s < rows[i - 1].used_s);
    arena_free(arena);
  }
  free(asked.request.rows);
  side_deinit(&side);
}

static void test_forgotten_is_gone(void **state)
{
  (void)state;
  struct side side;
  struct asked asked[4];
  struct id id;
  side_init(&side);
  side_keep_all(&side, 0, 10);
  uint64_t bytes = side_numbers(&side).bytes;
  assert_int_equal(side_forget(&side, 3), 1);
  assert_int_equal(side_forget(&side, 3), 0);
  assert_true(side_numbers(&side).bytes < bytes);
  arena_free(puzzle_of(20, &id));
  for (int i = 0; i < 4; i++) { /* what is asked first is done first */
    asked[i] = (struct asked){.request.done = on_done};
    if (i % 2 == 0)
      assert_int_equal(side_begin_keep(&side, i < 2 ? 20 : 21, &asked[i]), 0);
    else
      assert_int_equal(store_forget(side.store, &asked[i].request, &id), 0);
  }
  for (int i = 0; i < 4; i++)
    assert_int_equal(side_wait(&side, &asked[i]), 0);
  assert_int_equal(asked[1].request.count, 1);
  assert_int_equal(asked[3].request.count, 0);
  assert_false(side_has(&side, 20));
  assert_true(side_has(&side, 21));
  side_reopen(&side);
  assert_int_equal(side_has_of(&side, 0, 10), 9);
  side_deinit(&side);
}

static void test_cleared_is_gone(void **state)
{
  (void)state;
  struct side side;
  struct asked cleared = {.request.done = on_done}, asked;
  struct stat before, after;
  side_init(&side);
  side_keep_all(&side, 0, 2000);
  uint64_t bytes = side_numbers(&side).bytes;
  side_reopen(&side);
  assert_int_equal(stat(side_file(&side, "puzzles.db"), &before), 0);
  assert_int_equal(store_clear(side.store, &cleared.request), 0);
  assert_int_equal(side_begin_keep(&side, 5000, &asked), 0);
  assert_int_equal(side_wait(&side, &cleared), 0);
  assert_int_equal(cleared.request.count, 2000);
  assert_int_equal(cleared.request.bytes, bytes);
  assert_int_equal(side_wait(&side, &asked), 0);
  side_reopen(&side);
  side_wait_for_count(&side, 1);
  assert_true(side_has(&side, 5000));
  assert_false(side_has(&side, 7));
  side_close(&side);
  assert_int_equal(stat(side_file(&side, "puzzles.db"), &after), 0);
  assert_true(after.st_size < before.st_size / 4); /* the disk has its space back */
  side_deinit(&side);
}

/* Ends what was asked when the store is closed; what was cancelled is not called back. */
static void test_cancelled_and_closed(void **state)
{
  (void)state;
  struct side side;
  struct asked asked[3];
  side_init(&side);
  side_keep(&side, 1);
  assert_int_equal(side_begin_keep(&side, 2, &asked[0]), 0);
  store_cancel(&asked[0].request);
  store_cancel(&asked[0].request);
  for (int i = 1; i < 3; i++) {
    asked[i] = (struct asked){.request.done = on_done};
    assert_int_equal(store_list(side.store, &asked[i].request, 10), 0);
  }
  store_cancel(&asked[2].request);
  side_leave(&side);
  assert_false(asked[0].done);
  assert_true(asked[1].done);
  assert_int_equal(asked[1].request.result, -ECANCELED);
  assert_false(asked[2].done);
  side_open(&side);
  side_keep(&side, 3);
  assert_true(side_has(&side, 1));
  side_deinit(&side);
}

static void test_no_store_keeps_nothing(void **state)
{
  (void)state;
  struct store_request request = {0};
  struct store_numbers numbers;
  struct id id = {0};
  assert_int_equal(store_keep(NULL, &request, malloc(5), 5, &id, 3, GAME_GRAPH), -ENOENT);
  assert_int_equal(store_find(NULL, &request, "012345"), -ENOENT);
  assert_int_equal(store_list(NULL, &request, 10), -ENOENT);
  assert_int_equal(store_forget(NULL, &request, &id), -ENOENT);
  assert_int_equal(store_clear(NULL, &request), -ENOENT);
  store_touch(NULL, &id);
  store_collect(NULL);
  store_expire(NULL, 1);
  store_drain(NULL);
  store_status(NULL, &numbers);
  assert_int_equal(numbers.condition, STORE_CONDITION_OFF);
  assert_false(store_is_waiting(NULL));
  assert_true(store_is_idle(NULL));
  store_cancel(&request);
  store_close(NULL);
}

/* Of another program, or of a version to come: it gets another name, and stays as it is. */
static void test_unknown_version_is_set_aside(void **state)
{
  (void)state;
  struct side side;
  side_init(&side);
  side_keep(&side, 1);
  side_close(&side);
  side_sql(&side, "PRAGMA user_version = 7");
  side_open(&side);
  side_keep(&side, 2);
  assert_false(side_has(&side, 1));
  assert_non_null(strstr(side.log, "of another version"));
  side_close(&side);
  assert_true(side_file_exists(&side, "puzzles.version-7.db"));
  side_sql(&side, "PRAGMA user_version = 7");
  side_open(&side); /* the name is taken now: nothing is overwritten */
  side_wait_for_condition(&side, STORE_CONDITION_FAILING);
  assert_non_null(strstr(side_numbers(&side).error, "version"));
  assert_int_equal(side_sql(&side, "SELECT count(*) FROM puzzles"), 1);
  side_leave(&side);
  assert_int_equal(rename(side_file(&side, "puzzles.version-7.db"), "/tmp/catmouse-store-7.db"), 0);
  assert_int_equal(remove("/tmp/catmouse-store-7.db"), 0);
  side_deinit(&side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kept_is_found),
      cmocka_unit_test(test_prefixes),
      cmocka_unit_test(test_list_and_touch),
      cmocka_unit_test(test_forgotten_is_gone),
      cmocka_unit_test(test_cleared_is_gone),
      cmocka_unit_test(test_cancelled_and_closed),
      cmocka_unit_test(test_no_store_keeps_nothing),
      cmocka_unit_test(test_unknown_version_is_set_aside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
