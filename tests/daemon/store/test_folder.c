/* A folder that cannot be used, that goes, or in which nothing can be written. */
#include <errno.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/store/folder.h"
#include "tests/daemon/store/side.h"

static void assert_refused(struct side *side, const char *words)
{
  struct asked asked;
  side_open(side);
  side_wait_for_condition(side, STORE_CONDITION_FAILING);
  assert_non_null(strstr(side_numbers(side).error, words));
  assert_int_equal(side_begin_keep(side, 1, &asked), -EAGAIN);
  assert_int_equal(side_count(side, 1, 10), 1); /* in memory */
}

static void remove_folder(const struct side *side)
{
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", side->folder);
  assert_int_equal(system(command), 0);
}

/* It is used as soon as it is right, and what was solved meanwhile is kept. */
static void test_refused_until_it_is_right(void **state)
{
  (void)state;
  struct side side;
  side_init(&side);
  side_close(&side);
  assert_int_equal(chmod(side.folder, 0755), 0);
  assert_refused(&side, "mode 0700");
  assert_int_equal(chmod(side.folder, 0700), 0);
  side_wait_for_condition(&side, STORE_CONDITION_ON);
  side_reopen(&side);
  assert_true(side_has(&side, 1));
  side_close(&side);

  remove_folder(&side);
  assert_int_equal(symlink("/tmp", side.folder), 0);
  assert_refused(&side, "mode 0700");
  assert_int_equal(unlink(side.folder), 0);
  side_wait_for_condition(&side, STORE_CONDITION_ON);
  assert_true(side_has(&side, 1));
  side_deinit(&side);
}

static void test_usual_places(void **state)
{
  (void)state;
  char path[PATH_MAX];
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

/*
 * The file or the folder is removed or renamed while it is open: what is kept from then on is found
 * there.
 */
static void test_vanishing(void **state)
{
  (void)state;
  char moved[128];
  for (int way = 0; way < 4; way++) {
    struct side side;
    side_init(&side);
    side_keep(&side, 1);
    snprintf(moved, sizeof moved, "%.60s moved", side.folder);
    switch (way) {
    case 0: remove_folder(&side); break;
    case 1: assert_int_equal(rename(side.folder, moved), 0); break;
    case 2: assert_int_equal(remove(side_file(&side, "puzzles.db")), 0); break;
    case 3:
      assert_true(side_has(&side, 1)); /* the reader has it open, too */
      remove_folder(&side);
      assert_false(side_has(&side, 1));
    }
    side_keep_all(&side, 2, 100);
    assert_int_equal(side_has_of(&side, 1, 101), 100);
    side_leave(&side);
    side_open(&side);
    assert_int_equal(side_has_of(&side, 1, 101), 100);
    assert_int_equal(side_numbers(&side).damaged, 0);
    side_deinit(&side);
  }
}

/* What is there is found. It is in the log of a daemon that was killed, where `clean` is false. */
static void read_only(struct side *side, bool clean)
{
  struct asked asked;
  side_open(side);
  side_wait_for_condition(side, STORE_CONDITION_FAILING);
  assert_int_equal(side_begin_keep(side, 100, &asked), -EAGAIN);
  assert_true(side_has(side, 100));
  uint64_t there = side_has_of(side, 0, 10);
  if (clean)
    assert_int_equal(there, 10);
  side_leave(side);
}

/* As a user for whom modes count. */
static void test_without_permission(void **state)
{
  (void)state;
  struct side side;
  side_init(&side);
  side_keep_all(&side, 0, 10);
  side_close(&side);
  if (geteuid() == 0) {
    assert_int_equal(chown(side.path, 65534, 65534), 0);
    assert_int_equal(chown(side.folder, 65534, 65534), 0);
    assert_int_equal(chown(side_file(&side, "puzzles.db"), 65534, 65534), 0);
    assert_int_equal(seteuid(65534), 0);
  }
  assert_int_equal(chmod(side.folder, 0500), 0);
  read_only(&side, true);
  assert_int_equal(chmod(side_file(&side, "puzzles.db"), 0400), 0);
  read_only(&side, true);
  assert_int_equal(chmod(side.folder, 0700), 0);
  read_only(&side, true);
  assert_int_equal(chmod(side.folder, 0), 0);
  assert_refused(&side, "Permission denied");
  assert_int_equal(chmod(side.folder, 0700), 0);
  assert_int_equal(chmod(side_file(&side, "puzzles.db"), 0600), 0);
  side_wait_for_condition(&side, STORE_CONDITION_ON);
  assert_int_equal(side_has_of(&side, 0, 10), 10);
  if (getuid() == 0)
    assert_int_equal(seteuid(0), 0);
  side_deinit(&side);
}

/* On a small disk of its own, where the test may mount one. */
static void test_small_disk(void **state)
{
  (void)state;
  struct side side;
  struct asked asked;
  side_init(&side);
  side_close(&side);
  remove_folder(&side);
  assert_int_equal(mkdir(side.folder, 0700), 0);
  if (mount("none", side.folder, "tmpfs", 0, "size=2m,mode=0700") < 0) {
    side_deinit(&side);
    skip();
  }
  side_open(&side);
  uint64_t kept = 0;
  while (side_begin_keep(&side, kept, &asked) == 0 && side_wait(&side, &asked) == 0)
    kept++;
  assert_true(kept > 20);
  assert_string_equal(side_numbers(&side).error, "No space left on device");
  assert_int_equal(side_has_of(&side, 0, kept + 1), kept + 1);
  assert_int_equal(mount("none", side.folder, "tmpfs", MS_REMOUNT, "size=8m"), 0);
  side_wait_for_condition(&side, STORE_CONDITION_ON);
  side_reopen(&side);
  assert_int_equal(side_has_of(&side, 0, kept + 1), kept + 1);
  side_close(&side);
  assert_int_equal(umount(side.folder), 0);
  side_deinit(&side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refused_until_it_is_right),
      cmocka_unit_test(test_usual_places),
      cmocka_unit_test(test_vanishing),
      cmocka_unit_test(test_without_permission),
      cmocka_unit_test(test_small_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
