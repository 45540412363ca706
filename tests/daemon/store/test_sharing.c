/* Two daemons on one folder: each finds what the other has kept, and nothing is lost between them. */
#include <sys/wait.h>
#include <unistd.h>

#include "tests/daemon/store/side.h"

static void test_two_stores(void **state)
{
  (void)state;
  struct side left, right;
  side_init(&left);
  side_init_beside(&right, &left);
  side_keep_all(&left, 0, 50);
  side_keep_all(&right, 40, 50);
  assert_int_equal(side_has_of(&left, 0, 90), 90);
  assert_int_equal(side_has_of(&right, 0, 90), 90);
  assert_int_equal(side_forget(&left, 60), 1);
  assert_false(side_has(&right, 60));
  side_keep(&right, 60);
  assert_true(side_has(&left, 60));
  side_close(&right);
  side_deinit(&left);
}

/* What one of them clears or sets aside, or removes, the other does not go on to write to. */
static void test_one_takes_it_away(void **state)
{
  (void)state;
  struct side left, right;
  for (int way = 0; way < 3; way++) {
    char junk[4096];
    side_init(&left);
    side_init_beside(&right, &left);
    side_keep_all(&left, 0, 50);
    assert_int_equal(side_has_of(&right, 0, 50), 50);
    memset(junk, 'j', sizeof junk);
    if (way == 0) {
      side_clear(&left);
    } else if (way == 1) {
      assert_int_equal(remove(side_file(&left, "puzzles.db")), 0);
    } else { /* the first to see it sets it aside */
      side_close(&left);
      side_close(&right);
      FILE *file = fopen(side_file(&left, "puzzles.db"), "r+");
      assert_non_null(file);
      assert_int_equal(fwrite(junk, sizeof junk, 1, file), 1);
      fclose(file);
      side_open(&left);
      side_open(&right);
    }
    side_keep_all(&left, 100, 50);
    side_keep_all(&right, 200, 50);
    assert_int_equal(side_has_of(&right, 100, 50), 50);
    assert_int_equal(side_has_of(&left, 200, 50), 50);
    assert_int_equal(side_has_of(&left, 0, 50), 0);
    side_close(&right);
    side_deinit(&left);
  }
}

/* Several processes stream puzzles at the same time; each puzzle is there in the end. */
static void test_processes_at_once(void **state)
{
  (void)state;
  enum { PROCESSES = 3, EACH = 2000, AT_ONCE = 50 };
  struct side side;
  pid_t children[PROCESSES];
  side_init(&side);
  side_close(&side);
  for (int i = 0; i < PROCESSES; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      side_open(&side);
      for (int k = 0; k < EACH; k += AT_ONCE)
        side_keep_all(&side, (uint64_t)(i * EACH + k), AT_ONCE);
      side_close(&side);
      _exit(0);
    }
  }
  for (int i = 0; i < PROCESSES; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  side_open(&side);
  assert_int_equal(side_has_of(&side, 0, PROCESSES * EACH), PROCESSES * EACH);
  side_deinit(&side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_stores),
      cmocka_unit_test(test_one_takes_it_away),
      cmocka_unit_test(test_processes_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
