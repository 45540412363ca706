/* What people read. */
#include "client/words.h"

#include "tests/client/client_test.h"

static void assert_verdict(enum cm_outcome outcome, uint32_t plies, const char *expected)
{
  char words[WORDS_MAX];
  verdict_words(outcome, plies, words);
  assert_string_equal(words, expected);
}

static void test_verdicts(void **state)
{
  (void)state;
  assert_verdict(CM_CAT_WINS, 22, "The cat wins in 22 plies.");
  assert_verdict(CM_MOUSE_WINS, 1, "The mouse wins in 1 ply.");
  assert_verdict(CM_MOUSE_WINS, 0, "The mouse has won.");
  assert_verdict(CM_CAT_WINS, UINT32_MAX - 1, "The cat wins in 4294967294 plies.");
  assert_verdict(CM_DRAW, CM_PLIES_NONE, "Nobody can force a win: a draw.");
  assert_verdict(CM_CAT_WINS, CM_PLIES_NONE, "The cat wins: nobody can force the end.");
}

static void test_places(void **state)
{
  char words[WORDS_MAX];
  (void)state;
  place_words(0, 17, words);
  assert_string_equal(words, "17");
  place_words(5, 17, words);
  assert_string_equal(words, "3:2");
}

static void test_counts(void **state)
{
  char words[WORDS_MAX];
  (void)state;
  count_words(1, "puzzle", "puzzles", words);
  assert_string_equal(words, "1 puzzle");
  count_words(0, "puzzle", "puzzles", words);
  assert_string_equal(words, "0 puzzles");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
