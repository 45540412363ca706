/* Which name a mistyped word may have meant. */
#include "proto/nearest.h"

#include <string.h>

#include "tests/proto/proto_test.h"

static const char *nearest_of(const char *word)
{
  static const char *const names[] = {"solve", "query", "line", "list", "stats", "status", "stop"};
  struct nearest nearest;
  nearest_init(&nearest, word, strlen(word));
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    nearest_try(&nearest, names[i]);
  return nearest.name ? nearest.name : "none";
}

static void test_nearest(void **state)
{
  (void)state;
  assert_string_equal(nearest_of("slove"), "solve");
  assert_string_equal(nearest_of("qury"), "query");
  assert_string_equal(nearest_of("lnie"), "line");
  assert_string_equal(nearest_of("sttaus"), "status");
  assert_string_equal(nearest_of("stat"), "stats");
  assert_string_equal(nearest_of("xyzzy"), "none");
  assert_string_equal(nearest_of(""), "none");
  assert_string_equal(nearest_of("a word that is much too long to be any of them"), "none");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
