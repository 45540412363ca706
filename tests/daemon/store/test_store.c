/* What was kept is found, listed and forgotten, within bounds, in any folder. */
#include <errno.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemon/store/database.h"
#include "solver/packed.h"
#include "tests/daemon/store/side.h"

enum { DAY_S = 86400 };

time_t __wrap_time(time_t *out);
time_t __real_time(time_t *out);

static time_t jump_s; /* of the clock on the wall */

time_t __wrap_time(time_t *out)
{
  time_t now = __real_time(NULL) + jump_s;
  if (out)
    *out = now;
  return now;
}

static void test_kept_is_found(void **state)
{
  struct side *side = *state;
  struct stat status;
  assert_int_equal(side_has(side, 1, 1), 0);
  side_keep(side, 0, 50);
  side_keep(side, 3, 1); /* once more: still one */
  for (int i = 0; i < 2; i++) {
    assert_int_equal(side_has(side, 0, 51), 50);
    side_settle(side);
    assert_int_equal(side_numbers(side).puzzles, 50);
    assert_int_equal(side_numbers(side).condition, STORE_CONDITION_ON);
    side_close(side);
    assert_int_equal(side_size(side, "puzzles.db-wal"), -1);
    side_open(side);
  }
  assert_int_equal(stat(side->folder, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0700);
  assert_string_equal(side->log, "");
}

/* Two seeds whose ids begin with the same six digits. */
static void find_alike(uint64_t seeds[2])
{
  static uint32_t seed_of[1 << 24]; /* by the first 24 bits of an id, plus 1 */
  for (uint32_t seed = 0;; seed++) {
    struct id id = id_of(seed);
    uint32_t *other = &seed_of[id.bytes[0] << 16 | id.bytes[1] << 8 | id.bytes[2]];
    seeds[0] = *other - 1;
    seeds[1] = seed;
    if (*other > 0)
      return;
    *other = seed + 1;
  }
}

/* Two ids that begin alike are told apart by more digits, and found by few where one is there alone. */
static void test_prefixes(void **state)
{
  struct side *side = *state;
  struct asked asked;
  uint64_t seeds[2], count;
  find_alike(seeds);
  side_keep(side, seeds[0], 1);
  for (size_t digits = ID_PREFIX_MIN; digits <= ID_TEXT; digits++) {
    assert_int_equal(side_find(side, seeds[0], digits, &count), 0);
    assert_int_equal(count, 1);
  }
  assert_int_equal(side_begin_keep(side, seeds[1], &asked), 0);
  for (int i = 0; i < 2; i++) { /* the other in memory, and on disk */
    side_find(side, seeds[0], ID_PREFIX_MIN, &count);
    assert_int_equal(count, 2);
    side_wait(side, &asked);
  }
  side_find(side, seeds[0], 20, &count);
  assert_int_equal(count, 1);
  side_find(side, seeds[1], 21, &count);
  assert_int_equal(count, 1);
  assert_int_equal(side_forget(side, seeds[0]), 1);
  side_find(side, seeds[1], ID_PREFIX_MIN, &count);
  assert_int_equal(count, 1);
}

static void test_list_and_touch(void **state)
{
  struct side *side = *state;
  struct asked asked;
  struct id id = id_of(4);
  side_keep(side, 0, 20);
  side_close(side); /* all is in one table now */
  side_sql(side, "UPDATE puzzles SET used = used - 86400 + number");
  side_open(side);
  store_touch(side->store, &id);
  side_reopen(side);
  assert_int_equal(store_list(side->store, side_ask(&asked), 5), 0);
  assert_int_equal(side_wait(side, &asked), 0);
  assert_int_equal(asked.request.count, 5);
  assert_int_equal(asked.request.total, 20);
  const struct store_row *rows = asked.request.rows;
  for (uint64_t i = 0; i < 5; i++) {
    struct arena *arena = puzzle_of(i > 0 ? 20 - i : 4, &id);
    assert_memory_equal(&rows[i].id, &id, sizeof id);
    assert_int_equal(rows[i].nodes, arena->nodes);
    assert_int_equal(rows[i].game, arena->game);
    assert_true(rows[i].bytes > arena_packed_bytes(arena));
    assert_true(i == 0 || rows[i].used_s < rows[i - 1].used_s);
    arena_free(arena);
  }
  free(asked.request.rows);
}

/* What has arrived is there like all else, also where it is kept twice; as another daemon may leave it. */
static void test_arrivals(void **state)
{
  struct side *side = *state;
  struct asked asked;
  struct id last = id_of(19);
  side_keep(side, 0, 20);
  side_sql(side, "INSERT INTO arrivals SELECT * FROM puzzles WHERE number > 10");
  side_sql(side, "DELETE FROM puzzles WHERE number > 15");
  assert_int_equal(store_list(side->store, side_ask(&asked), 50), 0);
  assert_int_equal(side_wait(side, &asked), 0);
  assert_int_equal(asked.request.count, 20);
  assert_int_equal(asked.request.total, 20);
  assert_memory_equal(&asked.request.rows[0].id, &last, sizeof last);
  free(asked.request.rows);
  assert_int_equal(side_sql(side, "SELECT count(*) FROM arrivals"), 10);
  assert_int_equal(side_has(side, 0, 21), 20);
  assert_int_equal(side_forget(side, 12), 1);
  assert_int_equal(side_forget(side, 17), 1);
  assert_int_equal(side_has(side, 0, 20), 18);
  assert_int_equal(side_sql(side, "SELECT count(*) FROM arrivals"), 0);
  assert_int_equal(side_numbers(side).puzzles, 18);
}

/* What is asked first is done first, also within one transaction. */
static void test_forgotten_and_cleared_is_gone(void **state)
{
  struct side *side = *state;
  struct asked asked[6];
  struct id id = id_of(2000);
  side_keep(side, 0, 2000);
  side_close(side);
  int64_t size = side_size(side, "puzzles.db");
  side_open(side);
  assert_int_equal(side_forget(side, 3), 1);
  assert_int_equal(side_forget(side, 3), 0);
  uint64_t bytes = side_numbers(side).bytes;
  assert_int_equal(side_begin_keep(side, 2000, &asked[0]), 0);
  assert_int_equal(store_forget(side->store, side_ask(&asked[1]), &id), 0);
  assert_int_equal(side_begin_keep(side, 2001, &asked[2]), 0);
  assert_int_equal(store_forget(side->store, side_ask(&asked[3]), &id), 0);
  assert_int_equal(store_clear(side->store, side_ask(&asked[4])), 0);
  assert_int_equal(side_begin_keep(side, 2002, &asked[5]), 0);
  for (int i = 0; i < 6; i++)
    side_wait(side, &asked[i]);
  assert_int_equal(asked[1].request.count, 1);
  assert_int_equal(asked[3].request.count, 0);
  assert_int_equal(asked[4].request.count, 2000);
  assert_in_range(asked[4].request.bytes, bytes, bytes + 2000);
  assert_int_equal(side_has(side, 0, 2003), 1);
  side_close(side);
  assert_true(side_size(side, "puzzles.db") < size / 4); /* the disk has its space back */
  side_open(side);
  assert_int_equal(side_has(side, 2000, 3), 1);
}

/* What was asked ends when the store is closed; what was cancelled is not called back. */
static void test_cancelled_and_closed(void **state)
{
  struct side *side = *state;
  struct asked asked[3];
  side_keep(side, 1, 1);
  assert_int_equal(side_begin_keep(side, 2, &asked[0]), 0);
  assert_int_equal(store_list(side->store, side_ask(&asked[1]), 10), 0);
  assert_int_equal(store_list(side->store, side_ask(&asked[2]), 10), 0);
  for (int i = 0; i < 2; i++) {
    store_cancel(&asked[0].request);
    store_cancel(&asked[2].request);
  }
  store_close(side->store);
  assert_false(asked[0].done || asked[2].done);
  assert_true(asked[1].done);
  assert_int_equal(asked[1].request.result, -ECANCELED);
  side_open(side);
  assert_int_equal(side_has(side, 1, 1), 1);
}

static void test_no_store_keeps_nothing(void **state)
{
  struct store_request request = {0};
  struct store_numbers numbers;
  struct id id = {0};
  (void)state;
  assert_int_equal(store_keep(NULL, &request, malloc(5), 5, &id, 3, GAME_GRAPH), -ENOENT);
  assert_int_equal(store_find(NULL, &request, "012345"), -ENOENT);
  assert_int_equal(store_list(NULL, &request, 10), -ENOENT);
  assert_int_equal(store_forget(NULL, &request, &id), -ENOENT);
  assert_int_equal(store_clear(NULL, &request), -ENOENT);
  store_touch(NULL, &id);
  store_collect(NULL);
  assert_true(store_tend(NULL, 1) == UINT64_MAX);
  store_drain(NULL);
  store_status(NULL, &numbers);
  assert_int_equal(numbers.condition, STORE_CONDITION_OFF);
  assert_true(store_is_idle(NULL));
  store_cancel(&request);
  store_close(NULL);
}

/* One of version 1 gets what it lacks, and loses nothing. */
static void test_version_1_is_carried_on(void **state)
{
  struct side *side = *state;
  side_keep(side, 0, 20);
  side_close(side);
  side_sql(side, "DROP VIEW list");
  side_sql(side, "DROP TABLE arrivals");
  side_sql(side, "PRAGMA user_version = 1");
  side_open(side);
  side_keep(side, 20, 1);
  assert_int_equal(side_has(side, 0, 21), 21);
  assert_int_equal(side_sql(side, "SELECT user_version FROM pragma_user_version"), 2);
  assert_int_equal(side_sql(side, "SELECT count(*) FROM list"), 21);
}

/* Of another program, or of a version to come: it gets another name, and stays as it is. */
static void test_unknown_version_is_set_aside(void **state)
{
  struct side *side = *state;
  side_keep(side, 1, 1);
  side_close(side);
  side_sql(side, "PRAGMA user_version = 7");
  side_open(side);
  side_keep(side, 2, 1);
  assert_int_equal(side_has(side, 1, 2), 1);
  assert_int_equal(side_says(side, "of another version"), 1);
  side_close(side);
  int64_t size = side_size(side, "puzzles.version-7.db");
  assert_true(size > 0);
  side_sql(side, "PRAGMA user_version = 7");
  side_open(side); /* the name is taken now: nothing is overwritten */
  SIDE_PUMP_UNTIL(side, side_numbers(side).condition == STORE_CONDITION_FAILING);
  assert_non_null(strstr(side_numbers(side).error, "version"));
  side_close(side);
  assert_int_equal(side_size(side, "puzzles.version-7.db"), size);
  assert_int_equal(side_sql(side, "SELECT count(*) FROM puzzles"), 1);
}

/* Puzzle i was used i days and a minute ago. The store is closed. */
static void fill(struct side *side, uint64_t count)
{
  side_keep(side, 0, count);
  side_close(side);
  side_sql(side, "UPDATE puzzles SET used = used - 60 - 86400 * (number - 1)");
}

static void test_too_old(void **state)
{
  struct side *side = *state;
  fill(side, 10);
  side->options.age_max_days = 0;
  side_open(side);
  assert_int_equal(side_has(side, 0, 10), 10); /* now they were used, all within the hour */
  side_close(side);
  side_sql(side, "UPDATE puzzles SET used = used - 60 - 86400 * (number - 1)");
  side->options.age_max_days = 7;
  side_open(side);
  side_settle(side);
  assert_int_equal(side_has(side, 0, 10), 7);
  assert_int_equal(side_has(side, 0, 7), 7);
}

static void test_too_many(void **state)
{
  struct side *side = *state;
  fill(side, 10);
  side->options.puzzles_max = 6;
  side_sql(side, "UPDATE puzzles SET used = used + 864000 WHERE number = 10");
  side_open(side);
  side_keep(side, 20, 1);
  assert_int_equal(side_numbers(side).puzzles, 6);
  assert_int_equal(side_has(side, 0, 4), 4);
  assert_int_equal(side_has(side, 4, 5), 0);
  assert_int_equal(side_has(side, 9, 12), 2);
  side_keep(side, 100, 3000);
  assert_int_equal(side_numbers(side).puzzles, 6);
}

/* The file gives back what it needs no more. */
static void test_too_many_bytes(void **state)
{
  struct side *side = *state;
  side->options.age_max_days = 0;
  fill(side, 1500);
  int64_t size = side_size(side, "puzzles.db");
  side->options.bytes_max = 30000;
  side_open(side);
  side_settle(side);
  uint64_t left = side_numbers(side).puzzles;
  assert_in_range(side_numbers(side).bytes, 28000, 30000);
  assert_int_equal(side_has(side, 0, 1500), left);
  assert_int_equal(side_has(side, 0, left - 10), left - 10);
  side_close(side);
  assert_true(side_size(side, "puzzles.db") < size / 4);
}

/* While it is open, a clock that jumps makes nothing old or new. */
static void test_clock_that_jumps(void **state)
{
  struct side *side = *state;
  side_keep(side, 0, 10);
  for (int i = 0; i < 2; i++) {
    jump_s = i == 0 ? 5000L * DAY_S : -8000L * DAY_S;
    side_keep(side, 10 + (uint64_t)i, 1);
    assert_int_equal(side_sql(side, "SELECT max(used) - min(used) < 3600 FROM puzzles"), 1);
  }
  side_close(side);
  jump_s = 0;
  side_open(side);
  assert_int_equal(side_has(side, 0, 12), 12);
}

/* A folder that cannot be used is used when it can be, and what was solved meanwhile is kept. */
static void check_refused(struct side *side, const char *spoil, const char *words,
                          const char *repair)
{
  struct asked asked;
  side_keep(side, 1, 1);
  side_close(side);
  side_shell(side, "%s", spoil);
  side_open(side);
  SIDE_PUMP_UNTIL(side, side_numbers(side).condition == STORE_CONDITION_FAILING);
  assert_string_equal(side_numbers(side).error, words);
  assert_int_equal(side_begin_keep(side, 100, &asked), -EAGAIN);
  assert_int_equal(side_has(side, 100, 1), 1); /* in memory */
  assert_true(side_forget(side, 1) < 0);
  assert_int_equal(side_numbers(side).unkept, 1);
  side_shell(side, "%s", repair);
  SIDE_PUMP_UNTIL(side, side_numbers(side).unkept == 0);
  assert_int_equal(side_numbers(side).condition, STORE_CONDITION_ON);
  assert_int_equal(side_says(side, "cannot be written"), 1);
  assert_int_equal(side_says(side, "can be written again"), 1);
  *side->log = '\0';
  side_reopen(side);
  assert_int_equal(side_has(side, 1, 100), 2);
  assert_int_equal(side_forget(side, 100), 1);
}

static void test_refused_folders(void **state)
{
  struct side *side = *state;
  const char *others = "it must be a folder of this user with mode 0700";
  check_refused(side, "chmod 755 \"$F\"", others, "chmod 700 \"$F\"");
  check_refused(side, "mv \"$F\" \"$F.old\"; ln -s /tmp \"$F\"", others,
                "rm \"$F\"; mv \"$F.old\" \"$F\"");
  if (geteuid() == 0) { /* from here on as a user for whom modes count */
    assert_int_equal(chown(side->path, 65534, 65534), 0);
    side_shell(side, "chown -R 65534:65534 \"$F\"");
    side_close(side);
    assert_int_equal(seteuid(65534), 0);
    side_open(side);
  }
  check_refused(side, "chmod 500 \"$F\"", "it is read-only", "chmod 700 \"$F\"");
  check_refused(side, "chmod 0 \"$F\"", "Permission denied", "chmod 700 \"$F\"");
  check_refused(side, "chmod 400 puzzles.db", "Permission denied", "chmod 600 puzzles.db");
  check_refused(side, "mv \"$F\" \"$F.old\"; chmod 500 \"${F%/*}\"", "Permission denied",
                "chmod 700 \"${F%/*}\"; mv \"$F.old\" \"$F\"");
  if (getuid() == 0)
    assert_int_equal(seteuid(0), 0);
}

static void test_usual_places(void **state)
{
  char path[PATH_MAX];
  (void)state;
  setenv("XDG_CACHE_HOME", "/cache", 1);
  setenv("HOME", "/home/somebody", 1);
  assert_int_equal(folder_find(NULL, path), 0);
  assert_string_equal(path, "/cache/catmouse");
  setenv("XDG_CACHE_HOME", "relative", 1);
  assert_int_equal(folder_find(NULL, path), 0);
  assert_string_equal(path, "/home/somebody/.cache/catmouse");
  assert_int_equal(folder_find("/given//", path), 0);
  assert_string_equal(path, "/given");
  unsetenv("HOME");
  assert_int_equal(folder_find(NULL, path), -ENOENT);
  assert_int_equal(folder_find("", path), -ENOENT);
}

/* Gone while it is open: what is kept from then on is found there, by both threads. */
static void test_vanishing(void **state)
{
  static const char *const ways[] = {"rm -r \"$F\"", "mv \"$F\" \"$F.$$\"", "rm puzzles.db"};
  struct side *side = *state;
  for (uint64_t i = 0; i < 6; i++) {
    side_keep(side, 1, 1);
    if (i % 2 == 0)
      assert_int_equal(side_has(side, 1, 1), 1);
    side_shell(side, "%s", ways[i / 2]);
    if (i % 2 == 0)
      assert_int_equal(side_has(side, 1, 1), 0);
    side_keep(side, 2, 100);
    assert_int_equal(side_has(side, 1, 101), 100);
    side_reopen(side);
    assert_int_equal(side_has(side, 1, 101), 100);
    assert_int_equal(side_numbers(side).damaged, 0);
  }
}

/* On a small disk of its own, where the test may mount one. What does not fit keeps nothing else from the space left. */
static void test_small_disk(void **state)
{
  struct side *side = *state;
  struct asked asked, others[5];
  const struct id id = {{1}};
  const size_t large = 3 << 20;
  side_close(side);
  side_shell(side, "rm -r \"$F\"; mkdir -m 700 \"$F\"");
  if (mount("none", side->folder, "tmpfs", 0, "size=2m,mode=0700") < 0)
    skip();
  side_open(side);
  store_keep(side->store, side_ask(&others[0]), calloc(1, large), large, &id, 3, GAME_GRAPH);
  side_begin_keep(side, 0, &others[1]);
  side_begin_keep(side, 1, &others[2]);
  SIDE_PUMP_UNTIL(side, side_numbers(side).unkept == 1);
  assert_int_equal(side_sql(side, "SELECT count(*) FROM list"), 2);
  assert_int_equal(side_says(side, "cannot be written"), 1);
  side_begin_keep(side, 2, &others[3]);
  side_begin_keep(side, 3, &others[4]);
  side_reopen(side); /* who drains tries each */
  assert_int_equal(side_has(side, 0, 4), 4);
  uint64_t kept = 4;
  while (side_begin_keep(side, kept, &asked) == 0 && side_wait(side, &asked) == 0)
    kept++;
  assert_int_equal(side_numbers(side).condition, STORE_CONDITION_FAILING);
  assert_string_equal(side_numbers(side).error, "No space left on device");
  assert_int_equal(side_has(side, 0, kept + 1), kept + 1);
  assert_int_equal(mount("none", side->folder, "tmpfs", MS_REMOUNT, "size=16m"), 0);
  SIDE_PUMP_UNTIL(side, side_numbers(side).unkept == 0);
  assert_int_equal(side_says(side, "can be written again"), 1);
  side_reopen(side);
  assert_int_equal(side_has(side, 0, kept + 1), kept + 1);
  side_close(side);
  assert_int_equal(umount(side->folder), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      STORE_TEST(test_kept_is_found),
      STORE_TEST(test_prefixes),
      STORE_TEST(test_list_and_touch),
      STORE_TEST(test_arrivals),
      STORE_TEST(test_forgotten_and_cleared_is_gone),
      STORE_TEST(test_cancelled_and_closed),
      cmocka_unit_test(test_no_store_keeps_nothing),
      STORE_TEST(test_version_1_is_carried_on),
      STORE_TEST(test_unknown_version_is_set_aside),
      STORE_TEST(test_too_old),
      STORE_TEST(test_too_many),
      STORE_TEST(test_too_many_bytes),
      STORE_TEST(test_clock_that_jumps),
      STORE_TEST(test_refused_folders),
      cmocka_unit_test(test_usual_places),
      STORE_TEST(test_vanishing),
      STORE_TEST(test_small_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
