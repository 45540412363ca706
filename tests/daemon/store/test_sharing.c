/* Two daemons on one folder: what one has kept the other finds, and neither loses what it keeps. */
#include "tests/daemon/store/side.h"

/* Each finds what the other has kept, and does not go on to write to what the other has taken away. */
static void test_two_stores(void **state)
{
  static const char *const ways[] = {
      "true", "rm puzzles.db", "dd if=/dev/urandom of=puzzles.db bs=4096 count=1 2>/dev/null"};
  struct side *left = *state, right;
  side_init_beside(&right, left);
  side_keep(left, 0, 50);
  side_keep(&right, 40, 50);
  assert_int_equal(side_has(left, 0, 90) + side_has(&right, 0, 90), 180);
  assert_int_equal(side_forget(left, 60), 1);
  assert_int_equal(side_has(&right, 60, 1), 0);
  for (int i = 0; i < 3; i++) {
    struct asked asked;
    assert_int_equal(store_clear(left->store, side_ask(&asked)), 0);
    assert_int_equal(side_wait(left, &asked), 0);
    side_keep(&right, 0, 50);
    if (i == 2) { /* the first to open it sets it aside */
      side_close(left);
      side_close(&right);
    }
    side_shell(left, "%s", ways[i]);
    if (i == 2) {
      side_open(left);
      side_open(&right);
    }
    side_keep(left, 100, 50);
    side_keep(&right, 200, 50);
    assert_int_equal(side_has(&right, 100, 150), 100);
    assert_int_equal(side_has(left, 100, 150), 100);
    assert_int_equal(side_has(left, 0, 50), i == 0 ? 50 : 0);
  }
  side_close(&right);
}

/* Both stream puzzles at the same time; each puzzle is there in the end. */
static void test_two_streams(void **state)
{
  enum { EACH = 2000, AT_ONCE = 50 };
  static struct asked asked[2][AT_ONCE];
  struct side *left = *state, right;
  side_init_beside(&right, left);
  for (uint64_t seed = 0; seed < EACH; seed += AT_ONCE) {
    for (uint64_t i = 0; i < AT_ONCE; i++) {
      side_begin_keep(left, seed + i, &asked[0][i]);
      side_begin_keep(&right, EACH + seed + i, &asked[1][i]);
    }
    SIDE_PUMP_UNTIL(left, side_numbers(left).unkept == 0);
    SIDE_PUMP_UNTIL(&right, side_numbers(&right).unkept == 0);
  }
  side_close(&right);
  assert_int_equal(side_has(left, 0, 2 * EACH), 2 * EACH);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      STORE_TEST(test_two_stores),
      STORE_TEST(test_two_streams),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
