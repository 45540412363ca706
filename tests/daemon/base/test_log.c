/* Lines that peers could bring about without end are written once a second, and none is kept quiet about. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/base/log.h"
#include "tests/daemon/case.h"

static struct {
  struct log log;
  int reads, kept_stderr;
} tested;

/* All that was written to stderr since it was asked for last. */
static const char *written(void)
{
  static char text[4096];
  size_t length = 0;
  log_line(&tested.log, LOG_ERROR, "end");
  while (length < 5 || memcmp(text + length - 4, "end\n", 4) != 0) {
    ssize_t got = read(tested.reads, text + length, sizeof text - length);
    assert_true(got > 0);
    length += (size_t)got;
  }
  length -= strlen("cmdaemon: error: end\n");
  text[length] = '\0';
  return text;
}

CASE(once_a_second_with_a_count)
{
  struct log_rate rate = {0};
  for (unsigned number = 0; number < 1000; number++)
    log_seldom(&tested.log, &rate, 5000 + number, "refused %u", number);
  assert_string_equal(written(), "cmdaemon: warn: refused 0\n");
  log_seldom(&tested.log, &rate, 6000, "refused %u", 1000);
  assert_string_equal(written(), "cmdaemon: warn: 999 lines like the next were left out\n"
                                 "cmdaemon: warn: refused 1000\n");
  log_seldom(&tested.log, &rate, 8000, "refused again");
  assert_string_equal(written(), "cmdaemon: warn: refused again\n");
}

CASE(each_kind_has_its_own_second)
{
  struct log_rate one = {0}, other = {0};
  log_seldom(&tested.log, &one, 0, "one");
  log_seldom(&tested.log, &other, 0, "other");
  assert_string_equal(written(), "cmdaemon: warn: one\ncmdaemon: warn: other\n");
}

CASE(a_line_stays_one_line)
{
  log_line(&tested.log, LOG_INFO, "a\nb\033[2J\x7f");
  assert_string_equal(written(), "cmdaemon: info: a?b?[2J?\n");
  log_line(&tested.log, LOG_DEBUG, "beyond the level");
  assert_string_equal(written(), "");
  log_line(&tested.log, LOG_INFO, "%02000d", 0);
  assert_int_equal(strlen(written()), 1023);
}

CASE(levels_by_name)
{
  assert_int_equal(log_level_by_name("error"), LOG_ERROR);
  assert_int_equal(log_level_by_name("debug"), LOG_DEBUG);
  assert_int_equal(log_level_by_name("loud"), LOG_LEVEL_COUNT);
}

static int start(void **state)
{
  int ends[2];
  (void)state;
  tested.log.level = LOG_INFO;
  tested.kept_stderr = dup(STDERR_FILENO);
  if (pipe(ends) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
    return -1;
  close(ends[1]);
  tested.reads = ends[0];
  return 0;
}

static int stop(void **state)
{
  (void)state;
  dup2(tested.kept_stderr, STDERR_FILENO);
  close(tested.kept_stderr);
  return close(tested.reads);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_once_a_second_with_a_count, start, stop),
      cmocka_unit_test_setup_teardown(test_each_kind_has_its_own_second, start, stop),
      cmocka_unit_test_setup_teardown(test_a_line_stays_one_line, start, stop),
      cmocka_unit_test_setup_teardown(test_levels_by_name, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
