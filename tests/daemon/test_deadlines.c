/* Deadlines: the next first, whichever come and go, and none takes a look at all the others. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemon/deadlines.h"
#include "tests/solver/random_puzzle.h"
#include "tests/support/failing_alloc.h"

enum { MANY = 200000, SOME = 300, ROUNDS = 20000, TIMES = 50 };

static void test_next_is_first(void **state)
{
  (void)state;
  struct deadlines deadlines;
  struct deadline some[SOME] = {{0}};
  struct chance chance = {1};
  deadlines_init(&deadlines);
  for (int round = 0; round < ROUNDS; round++) {
    struct deadline *one = &some[chance_below(&chance, SOME)];
    if (one->place > 0)
      deadlines_remove(&deadlines, one);
    else
      assert_int_equal(deadlines_add(&deadlines, one, chance_below(&chance, TIMES)), 0);
    const struct deadline *first = deadlines_first(&deadlines);
    assert_int_equal(first == NULL, deadlines.count == 0);
    for (int i = 0; first && i < SOME; i++)
      assert_true(some[i].place == 0 || &some[i] == first || first->at_ms < some[i].at_ms ||
                  (first->at_ms == some[i].at_ms && first->number < some[i].number));
  }
  deadlines_deinit(&deadlines);
}

/* Passing over all that wait for longer, this would take minutes. */
static void test_many_that_come_before_all_others(void **state)
{
  (void)state;
  struct deadlines deadlines;
  struct deadline *many = calloc(MANY, sizeof *many);
  assert_non_null(many);
  deadlines_init(&deadlines);
  for (uint32_t i = 0; i < MANY; i++)
    assert_int_equal(deadlines_add(&deadlines, &many[i], MANY - i), 0);
  for (uint32_t i = MANY; i-- > 0;) {
    assert_ptr_equal(deadlines_first(&deadlines), &many[i]);
    deadlines_remove(&deadlines, &many[i]);
    deadlines_remove(&deadlines, &many[i]);
  }
  assert_null(deadlines_first(&deadlines));
  deadlines_deinit(&deadlines);
  free(many);
}

/* One that finds no room is in none, and the others stay. */
static void test_without_memory(void **state)
{
  (void)state;
  struct deadlines deadlines;
  struct deadline one = {0};
  deadlines_init(&deadlines);
  failing_alloc_arm(0);
  assert_int_equal(deadlines_add(&deadlines, &one, 1), -ENOMEM);
  assert_true(failing_alloc_disarm());
  deadlines_remove(&deadlines, &one);
  assert_null(deadlines_first(&deadlines));
  assert_int_equal(deadlines_add(&deadlines, &one, 1), 0);
  assert_ptr_equal(deadlines_first(&deadlines), &one);
  deadlines_deinit(&deadlines);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_next_is_first),
      cmocka_unit_test(test_many_that_come_before_all_others),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
