/* Bytes of any kind on a terminal, and lines with their place marked. */
#include "client/excerpt.h"

#include <stdlib.h>
#include <string.h>

#include "tests/client/client_test.h"

static void assert_escaped(const char *bytes, const char *expected, size_t columns)
{
  char *written;
  size_t length;
  FILE *to = open_memstream(&written, &length);
  assert_int_equal(escaped_write(to, bytes, strlen(bytes)), columns);
  fclose(to);
  assert_string_equal(written, expected);
  free(written);
}

static void test_escapes(void **state)
{
  (void)state;
  assert_escaped("plain", "plain", 5);
  assert_escaped("\x1b[31mred\n", "\\x1b[31mred\\x0a", 15);
  assert_escaped("caf\xc3\xa9", "caf\xc3\xa9", 4);
  assert_escaped("\xc2\x9b"
                 "1m",
                 "\\xc2\\x9b1m", 10);
  assert_escaped("\xff\xc3", "\\xff\\xc3", 8);
  assert_escaped("\x7f", "\\x7f", 4);
}

static void assert_excerpt(const char *bytes, uint32_t at, uint32_t length, const char *expected)
{
  char *written;
  size_t written_length;
  FILE *to = open_memstream(&written, &written_length);
  const struct text_place place = text_place_of(bytes, strlen(bytes), at);
  excerpt_write(to, bytes, &place, (struct text_span){at, length});
  fclose(to);
  assert_string_equal(written, expected);
  free(written);
}

static void test_excerpts(void **state)
{
  (void)state;
  assert_excerpt("one\ntwo\nthree", 4, 3, "  two\n  ^^^\n");
  assert_excerpt("one\ntwo", 7, 0, "  two\n     ^\n");
  assert_excerpt("\tone", 1, 3, "   one\n   ^^^\n");
  assert_excerpt("\x1b"
                 "one",
                 1, 3, "  \\x1bone\n      ^^^\n");
  assert_excerpt("\xc3\xa9 x", 3, 1, "  \xc3\xa9 x\n    ^\n");
  assert_excerpt("[1,\n2]", 0, 6, "  [1,\n  ^^^\n");
  assert_excerpt("", 0, 0, "  \n  ^\n");
}

static void test_long_lines(void **state)
{
  char line[201];
  (void)state;
  memset(line, 'a', 200);
  line[200] = '\0';
  line[100] = 'X';
  assert_excerpt(
      line, 100, 1,
      "  ...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaXaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\n"
      "                                             ^\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_excerpts),
      cmocka_unit_test(test_long_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
