/* The store on real threads and real files: what lasts, what goes, who may share it, what failing does. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/daemon/store/side.h"
#include "tests/support/failing_alloc.h"

enum { MANY = 300 };

static void test_lasts(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id, current;
  char digits[ID_TEXT + 1];
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 20; seed++)
    side_keep(&side, seed, &id);
  side_restart(&side, &folder);
  for (uint64_t seed = 0; seed < 20; seed++)
    side_assert_kept(&side, seed);
  assert_true(store_current(side.store, &current));
  assert_memory_equal(&current, &id, sizeof id);
  struct stored *found = NULL;
  id_format(&id, digits);
  digits[10] = '\0';
  assert_int_equal(store_find_prefix(side.store, digits, &found), 1);
  assert_memory_equal(&found->node.id, &id, sizeof id);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static void test_only_tables_that_pay(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side.limits.store_read_rate = 1000000;
  side_keep(&side, 100, &id);
  side_settle(&side);
  assert_false(store_may_have_table(side.store, &id));
  side_keep(&side, 1000000, &id);
  side_settle(&side);
  assert_true(store_may_have_table(side.store, &id));
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static void clear(struct side *side)
{
  struct reading cleared = {.waiter.done = reading_done};
  assert_int_equal(store_clear(side->store, &cleared.waiter), 0);
  while (!cleared.done)
    side_pump(side);
}

static void test_forgotten_and_cleared(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[3];
  uint64_t bytes = 0;
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 3; seed++)
    side_keep(&side, seed, &ids[seed]);
  side_settle(&side);
  struct reading forgotten = {.waiter.done = reading_done};
  assert_int_equal(store_forget(side.store, &ids[2], &forgotten.waiter, &bytes), 0);
  assert_true(bytes > 0);
  assert_int_equal(store_forget(side.store, &ids[2], &forgotten.waiter, &bytes), -ENOENT);
  while (!forgotten.done)
    side_pump(&side);
  side_restart(&side, &folder);
  assert_null(store_find(side.store, &ids[2]));
  assert_false(store_current(side.store, &ids[2]));
  side_assert_kept(&side, 0);
  clear(&side);
  assert_int_equal(store_bytes(side.store), 0);
  side_keep(&side, 5, &ids[0]);
  side_restart(&side, &folder);
  side_assert_kept(&side, 5);
  assert_int_equal(store_count(side.store), 1);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

/* What one daemon still knows of before another cleared the folder lies nowhere, not where others lie now. */
static void test_cleared_by_another(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id old, new;
  uint64_t bytes;
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_keep(&one, 1, &old);
  side_settle(&one);
  side_init(&two, &folder);
  side_settle(&two);
  clear(&one);
  side_keep(&one, 2, &new);
  side_settle(&one);
  struct reading forgotten = {.waiter.done = reading_done};
  assert_int_equal(store_forget(two.store, &old, &forgotten.waiter, &bytes), 0);
  while (!forgotten.done)
    side_pump(&two);
  side_wait_for_scan(&two);
  side_assert_kept(&two, 2);
  side_restart(&one, &folder);
  side_assert_kept(&one, 2);
  side_deinit(&two);
  side_deinit(&one);
  test_folder_deinit(&folder);
}

/* A solve has written its record when all is cleared, and comes to the loop before or after that is done. */
static void test_cleared_while_solving(void **state)
{
  (void)state;
  for (int after = 0; after < 2; after++) {
    struct test_folder folder;
    struct side side;
    struct test_puzzle puzzle;
    struct place place;
    struct id id;
    test_folder_init(&folder);
    side_init(&side, &folder);
    side_keep(&side, 1, &id);
    side_settle(&side);
    test_puzzle_init(&puzzle, 2);
    assert_int_equal(store_write_puzzle(side.store, puzzle.arena, &puzzle.id, &place), 0);
    struct reading cleared = {.waiter.done = reading_done};
    cache_clear(&side.cache);
    assert_int_equal(store_clear(side.store, &cleared.waiter), 0);
    while (after && !cleared.done)
      side_pump(&side);
    struct solved *solved = cache_add(&side.cache, &puzzle.id, puzzle.arena, puzzle.table);
    assert_non_null(solved);
    solved->solve_us = 2;
    store_add(side.store, solved, &place);
    cache_unref(&side.cache, solved);
    side_settle(&side);
    side_restart(&side, &folder);
    assert_int_equal(store_count(side.store), 1);
    side_assert_kept(&side, 2);
    side_deinit(&side);
    test_folder_deinit(&folder);
  }
}

/* Each sees what the other has kept, when it looks; neither disturbs the other; and no puzzle is lost. */
static void test_two_share_a_folder(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  struct id id;
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_init(&two, &folder);
  for (uint64_t seed = 0; seed < 40; seed++) {
    side_keep(seed % 2 ? &one : &two, seed, &id);
    if (seed % 5 == 0)
      side_keep(seed % 2 ? &two : &one, seed, &id); /* both solve this one */
  }
  side_settle(&one);
  side_settle(&two);
  side_wait_for_scan(&one);
  side_wait_for_scan(&two);
  for (uint64_t seed = 0; seed < 40; seed++) {
    side_assert_kept(&one, seed);
    side_assert_kept(&two, seed);
  }
  side_tick(&one, 0);
  side_tick(&two, 0);
  side_restart(&one, &folder);
  for (uint64_t seed = 0; seed < 40; seed++)
    side_assert_kept(&one, seed);
  assert_int_equal(store_count(one.store), 40);
  side_deinit(&two);
  side_restart(&one, &folder);
  assert_int_equal(store_count(one.store), 40);
  side_deinit(&one);
  test_folder_deinit(&folder);
}

static void test_least_recently_used_tables_go(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[20];
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 20; seed++)
    side_keep(&side, seed, &ids[seed]);
  side_settle(&side);
  store_touch(side.store, &ids[0]);
  side.limits.store_bytes = store_bytes(side.store) - 1;
  side_tick(&side, 1000);
  assert_true(store_bytes(side.store) <= side.limits.store_bytes);
  assert_false(store_may_have_table(side.store, &ids[1]));
  assert_non_null(store_find(side.store, &ids[1]));
  side_assert_kept(&side, 0);
  side_restart(&side, &folder);
  assert_false(store_may_have_table(side.store, &ids[1]));
  side_assert_kept(&side, 0);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static void test_too_many_or_too_old_go(void **state)
{
  (void)state;
  enum { DAY_S = 86400 };
  struct test_folder folder;
  struct store_folder files;
  struct puzzle_log log;
  struct test_puzzle puzzle;
  struct side side;
  struct place place;
  test_folder_init(&folder);
  test_folder_open(&folder, &files);
  puzzle_log_init(&log, &files);
  for (uint32_t seed = 0; seed < 10; seed++) {
    test_puzzle_init(&puzzle, seed);
    assert_int_equal(
        puzzle_log_append(&log, puzzle.arena, &puzzle.id, store_now_s() - seed * DAY_S, &place), 0);
    test_puzzle_deinit(&puzzle);
  }
  puzzle_log_deinit(&log);
  store_folder_deinit(&files);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(store_count(side.store), 10);
  side.limits.store_age_days = 7;
  side_tick(&side, 1000);
  assert_int_equal(store_count(side.store), 7);
  side.limits.store_puzzles = 4;
  side_tick(&side, 1000);
  assert_int_equal(store_count(side.store), 4);
  side_restart(&side, &folder);
  assert_int_equal(store_count(side.store), 4);
  test_puzzle_init(&puzzle, 3);
  assert_non_null(store_find(side.store, &puzzle.id));
  test_puzzle_deinit(&puzzle);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static unsigned damaged(struct side *side)
{
  struct store_status status;
  store_status(side->store, &status);
  return (unsigned)status.damaged;
}

static void test_damaged_table_is_set_aside(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  struct table *table = NULL;
  uint64_t solve_us;
  char name[ID_TEXT + 1];
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 4, &id);
  side_settle(&side);
  id_format(&id, name);
  file_flip(&side.store->folder, SUBFOLDER_TABLES, name, 200, 4);
  uint32_t nodes = store_find(side.store, &id)->nodes;
  int result = store_read_table(side.store, &id, nodes, UINT64_MAX, NULL, &table, &solve_us);
  assert_int_equal(result, -EBADMSG);
  store_table_was_read(side.store, &id, result);
  assert_false(store_may_have_table(side.store, &id));
  assert_int_equal(damaged(&side), 1);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_DAMAGED), 1);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_TABLES), 0);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

/* The record that was hit is lost, the others move, and the file is set aside. */
static void test_damaged_segment_is_rescued(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[6];
  test_folder_init(&folder);
  side_init(&side, &folder);
  for (uint64_t seed = 0; seed < 6; seed++)
    side_keep(&side, seed, &ids[seed]);
  side_settle(&side);
  uint32_t offset = store_find(side.store, &ids[2])->place.offset;
  file_flip(&side.store->folder, SUBFOLDER_PUZZLES, "00000001", offset + RECORD_HEAD_BYTES + 3, 1);
  for (int restart = 0; restart < 2; restart++) {
    side_restart(&side, &folder);
    assert_int_equal(damaged(&side), restart == 0);
    assert_null(store_find(side.store, &ids[2]));
    for (uint64_t seed = 0; seed < 6; seed++) {
      if (seed != 2)
        side_assert_kept(&side, seed);
    }
  }
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_DAMAGED), 1);
  side_keep(&side, 2, &ids[2]);
  side_settle(&side);
  side_assert_kept(&side, 2);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static void test_foreign_files_are_set_aside(void **state)
{
  (void)state;
  struct test_folder folder;
  struct store_folder files;
  struct side side;
  struct id id;
  static const char nobodys[200];
  char name[ID_TEXT + 1];
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 1, &id);
  side_stop(&side);
  test_folder_open(&folder, &files);
  file_write(&files, SUBFOLDER_TABLES, "notes.txt", "hello", 5);
  file_write(&files, SUBFOLDER_PUZZLES, "notes.txt", "hello", 5);
  file_write(&files, SUBFOLDER_PUZZLES, "00000007", "not a segment of puzzles", 24);
  assert_int_equal(mkdirat(files.fd[SUBFOLDER_TABLES], "folder", 0700), 0);
  assert_int_equal(symlinkat("/etc/passwd", files.fd[SUBFOLDER_PUZZLES], "00000009"), 0);
  file_write(&files, SUBFOLDER_PUZZLES, "00000008", "", 0);
  file_write(&files, SUBFOLDER_UNFINISHED, "of a daemon that is gone", "half", 4);
  id.bytes[0] ^= 1;
  id_format(&id, name);
  file_write(&files, SUBFOLDER_TABLES, name, nobodys, sizeof nobodys);
  file_write(&files, SUBFOLDER_ROOT, "current", "garbage", 7);
  side_start(&side, &folder);
  side_settle(&side);
  assert_int_equal(damaged(&side), 5);
  assert_int_equal(file_count(&files, SUBFOLDER_TABLES), 1);
  assert_int_equal(file_count(&files, SUBFOLDER_PUZZLES), 1);
  assert_int_equal(file_count(&files, SUBFOLDER_UNFINISHED), 0);
  side_assert_kept(&side, 1);
  store_folder_deinit(&files);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static void test_damaged_files_are_bounded(void **state)
{
  (void)state;
  struct test_folder folder;
  struct store_folder files;
  test_folder_init(&folder);
  test_folder_open(&folder, &files);
  for (int i = 0; i < 3 * SET_ASIDE_MAX; i++) {
    file_write(&files, SUBFOLDER_TABLES, "foreign", "x", 1);
    store_folder_set_aside(&files, SUBFOLDER_TABLES, "foreign");
  }
  assert_int_equal(file_count(&files, SUBFOLDER_DAMAGED), SET_ASIDE_MAX);
  store_folder_deinit(&files);
  test_folder_deinit(&folder);
}

/* Most of it forgotten: the log gets shorter, and what is left can be read. */
static void test_log_is_cleaned(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  side.limits.store_read_rate = UINT64_MAX;
  uint8_t *filler = calloc(1, SEGMENT_BYTES);
  assert_non_null(filler);
  for (uint64_t seed = 0; seed < 6; seed++) {
    struct place place;
    side_keep(&side, seed, &id);
    assert_int_equal(puzzle_log_append_record(&side.store->log, filler, SEGMENT_BYTES, &place), 0);
  }
  free(filler);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_PUZZLES), 6);
  side_restart(&side, &folder);
  assert_true(store_bytes(side.store) < SEGMENT_BYTES);
  for (uint64_t seed = 0; seed < 6; seed++) {
    struct test_puzzle puzzle;
    test_puzzle_init(&puzzle, seed);
    struct arena *arena = side_read_puzzle(&side, &puzzle.id);
    assert_non_null(arena);
    arena_free(arena);
    test_puzzle_deinit(&puzzle);
  }
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static enum store_state state_of(struct side *side)
{
  struct store_status status;
  store_status(side->store, &status);
  return status.state;
}

static void test_full_disk_is_tried_again(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct rlimit kept;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  side_keep(&side, 1, &id);
  side_settle(&side);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
  const struct rlimit full = {0, kept.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  side_keep(&side, 2, &id);
  side_settle(&side);
  assert_int_equal(state_of(&side), STORE_FAILING);
  assert_null(store_find(side.store, &id));
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(state_of(&side), STORE_FAILING);
  side_assert_kept(&side, 1);
  setrlimit(RLIMIT_FSIZE, &kept);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(state_of(&side), STORE_ON);
  side_keep(&side, 3, &id);
  side_restart(&side, &folder);
  side_assert_kept(&side, 1);
  side_assert_kept(&side, 2);
  side_assert_kept(&side, 3);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static void test_folders_that_are_refused(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  assert_int_equal(mkdir(folder.store, 0755), 0);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(state_of(&side), STORE_FAILING);
  side_keep(&side, 1, &id);
  assert_non_null(cache_find(&side.cache, &id));
  assert_int_equal(chmod(folder.store, 0700), 0);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(state_of(&side), STORE_ON);
  side_deinit(&side);
  test_folder_deinit(&folder);

  test_folder_init(&folder);
  assert_int_equal(symlink("/tmp", folder.store), 0);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(state_of(&side), STORE_FAILING);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

/* All is gone: that is noticed, and what is still in memory is kept in a new folder. */
static void test_folder_that_is_removed(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 1, &id);
  side_settle(&side);
  test_folder_remove(&folder);
  side_keep(&side, 3, &id);
  side_settle(&side);
  assert_int_equal(state_of(&side), STORE_FAILING);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_int_equal(state_of(&side), STORE_ON);
  side_restart(&side, &folder);
  side_assert_kept(&side, 1);
  side_assert_kept(&side, 3);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

/* No descriptor is left: that is no fault of the disk's. */
static void test_without_descriptors(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct rlimit kept;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &kept), 0);
  const struct rlimit none = {0, kept.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  side_keep(&side, 2, &id);
  side_settle(&side);
  setrlimit(RLIMIT_NOFILE, &kept);
  assert_int_equal(state_of(&side), STORE_ON);
  side_keep(&side, 3, &id);
  side_settle(&side);
  side_assert_kept(&side, 3);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

/* What lay in a folder that could not be opened at first is all taken over later. */
static void test_folder_that_opens_late(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id, current;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 1, &id);
  side_stop(&side);
  assert_int_equal(chmod(folder.store, 0755), 0);
  side_start(&side, &folder);
  side_settle(&side);
  assert_false(store_current(side.store, &current));
  assert_int_equal(chmod(folder.store, 0700), 0);
  side_tick(&side, 1000);
  side_tick(&side, side.limits.store_retry_ms << 6);
  assert_true(store_current(side.store, &current));
  assert_memory_equal(&current, &id, sizeof id);
  side_assert_kept(&side, 1);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

static void test_folder_that_goes(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 1, &id);
  side_settle(&side);
  char moved[TEST_PATH_MAX + 8];
  snprintf(moved, sizeof moved, "%s.moved", folder.store);
  assert_int_equal(rename(folder.store, moved), 0);
  side_keep(&side, 3, &id);
  side_settle(&side);
  side_restart(&side, &folder);
  assert_int_equal(store_count(side.store), 0);
  side_keep(&side, 5, &id);
  side_settle(&side);
  side_assert_kept(&side, 5);
  side_deinit(&side);
  test_folder_deinit(&folder);
}

/* What the loop asks of the store without memory: nothing leaks or breaks, and nobody waits for ever. */
static void test_without_memory(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  for (long nth = 0; nth < 40; nth++) {
    side_init(&side, &folder);
    side_stop(&side);
    failing_alloc_arm(nth);
    const struct store_options options = {
        .folder = folder.store,
        .limits = &side.limits,
        .log = &side.log,
        .cache = &side.cache,
        .wake = side_wake,
        .released = side_released,
        .context = &side,
    };
    int result = store_new(&options, &side.store);
    failing_alloc_disarm();
    assert_true(result == 0 || result == -ENOMEM || result == -EAGAIN);
    if (result < 0)
      side_start(&side, &folder);
    side_settle(&side);

    side.failing_nth = nth;
    side_keep(&side, (uint64_t)nth, &id);
    side_settle(&side);
    struct stored *stored = store_find(side.store, &id);
    if (stored) {
      struct reading read = {.waiter.done = reading_done},
                     forgotten = {.waiter.done = reading_done};
      uint64_t bytes;
      list_init(&read.waiter.link);
      failing_alloc_arm(nth);
      bool reads = store_read_puzzle(side.store, stored, &read.waiter) == 0;
      failing_alloc_disarm();
      while (reads && !read.done)
        side_pump(&side);
      arena_free(read.waiter.arena);
      failing_alloc_arm(nth);
      bool forgets = store_forget(side.store, &id, &forgotten.waiter, &bytes) == 0;
      failing_alloc_disarm();
      while (forgets && !forgotten.done)
        side_pump(&side);
    }
    failing_alloc_arm(nth);
    store_tick(side.store, side.now_ms += 1000);
    failing_alloc_disarm();
    side_wait_for_scan(&side);
    side_deinit(&side);
  }
  test_folder_deinit(&folder);
}

/* Solving threads append while the loop reads, forgets and cleans. */
struct appender {
  pthread_t thread;
  struct side *side;
  uint64_t first;
  struct place places[MANY];
};

static void *append_many(void *argument)
{
  struct appender *appender = argument;
  for (uint64_t i = 0; i < MANY; i++) {
    struct test_puzzle puzzle;
    test_puzzle_init(&puzzle, appender->first + i);
    store_write_puzzle(appender->side->store, puzzle.arena, &puzzle.id, &appender->places[i]);
    test_puzzle_deinit(&puzzle);
  }
  return NULL;
}

static void test_appended_from_many_threads(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side one, two;
  static struct appender appenders[4];
  test_folder_init(&folder);
  side_init(&one, &folder);
  side_init(&two, &folder);
  side_settle(&one);
  side_settle(&two);
  for (unsigned i = 0; i < 4; i++) {
    appenders[i] = (struct appender){.side = i % 2 ? &one : &two, .first = i * (uint64_t)MANY};
    assert_int_equal(pthread_create(&appenders[i].thread, NULL, append_many, &appenders[i]), 0);
  }
  for (int i = 0; i < 20; i++)
    side_wait_for_scan(&one);
  for (unsigned i = 0; i < 4; i++)
    pthread_join(appenders[i].thread, NULL);
  side_wait_for_scan(&one);
  for (uint64_t seed = 0; seed < 4 * MANY; seed++) {
    struct test_puzzle puzzle;
    test_puzzle_init(&puzzle, seed);
    struct arena *arena = side_read_puzzle(&one, &puzzle.id);
    assert_non_null(arena);
    arena_free(arena);
    test_puzzle_deinit(&puzzle);
  }
  side_deinit(&two);
  side_deinit(&one);
  test_folder_deinit(&folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lasts),
      cmocka_unit_test(test_only_tables_that_pay),
      cmocka_unit_test(test_forgotten_and_cleared),
      cmocka_unit_test(test_cleared_by_another),
      cmocka_unit_test(test_cleared_while_solving),
      cmocka_unit_test(test_two_share_a_folder),
      cmocka_unit_test(test_least_recently_used_tables_go),
      cmocka_unit_test(test_too_many_or_too_old_go),
      cmocka_unit_test(test_damaged_table_is_set_aside),
      cmocka_unit_test(test_damaged_segment_is_rescued),
      cmocka_unit_test(test_foreign_files_are_set_aside),
      cmocka_unit_test(test_damaged_files_are_bounded),
      cmocka_unit_test(test_log_is_cleaned),
      cmocka_unit_test(test_full_disk_is_tried_again),
      cmocka_unit_test(test_folders_that_are_refused),
      cmocka_unit_test(test_folder_that_goes),
      cmocka_unit_test(test_folder_that_is_removed),
      cmocka_unit_test(test_without_descriptors),
      cmocka_unit_test(test_folder_that_opens_late),
      cmocka_unit_test(test_without_memory),
      cmocka_unit_test(test_appended_from_many_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
