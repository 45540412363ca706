/* A log keeps its last megabyte, whole lines of it, and tells its last line. */
#include "client/log_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/client/client_test.h"
#include "tests/client/folder.h"

static void write_lines(const char *path, int count)
{
  FILE *file = fopen(path, "w");
  for (int i = 0; i < count; i++)
    fprintf(file, "line number %08d\n", i);
  fclose(file);
}

static void test_keeps_end(void **state)
{
  struct folder *folder = *state;
  struct stat before, after;
  char line[64];
  write_lines(folder->file, 1000);
  stat(folder->file, &before);
  log_keep_end(folder->file);
  stat(folder->file, &after);
  assert_int_equal(before.st_size, after.st_size);
  write_lines(folder->file, 200000);
  log_keep_end(folder->file);
  stat(folder->file, &after);
  assert_in_range(after.st_size, LOG_BYTES_KEPT - 100, LOG_BYTES_KEPT);
  assert_int_equal(after.st_mode & 0777, 0600);
  FILE *file = fopen(folder->file, "r");
  assert_non_null(fgets(line, sizeof line, file));
  assert_int_equal(strlen(line), strlen("line number 00000000\n"));
  fclose(file);
  log_keep_end("/nonexistent/log");
}

static void test_last_line(void **state)
{
  static const struct {
    const char *log, *line;
  } logs[] = {{"", ""}, {"one", "one"}, {"one\ntwo\n", "two"}, {"one\n\n\n", "one"}, {"\n", ""}};
  struct folder *folder = *state;
  char line[8];
  for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
    folder_write(folder, logs[i].log, 0600);
    log_last_line(folder->file, 0, sizeof line, line);
    assert_string_equal(line, logs[i].line);
  }
  folder_write(folder, "one\na long line\n", 0600);
  log_last_line(folder->file, 0, sizeof line, line);
  assert_string_equal(line, "a long ");
  log_last_line(folder->file, 4, sizeof line, line);
  assert_string_equal(line, "a long ");
  log_last_line(folder->file, log_length(folder->file), sizeof line, line);
  assert_string_equal(line, "");
  log_last_line("/nonexistent/log", 0, sizeof line, line);
  assert_string_equal(line, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {TEST(test_keeps_end), TEST(test_last_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
