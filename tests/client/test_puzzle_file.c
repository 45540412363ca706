/* Files and standard input, and what is said of those that hold no puzzle. */
#include "client/puzzle_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/failure.h"
#include "tests/client/capture.h"
#include "tests/client/client_test.h"
#include "tests/client/folder.h"

#define SMALL "{\"graph\": [[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]}"

struct reading {
  const char *path;
  const char *input; /* file that is standard input, or NULL */
};

static int read_puzzle(void *context)
{
  const struct reading *reading = context;
  struct cm_client *client;
  struct cm_puzzle *puzzle = NULL;
  if (cm_open(NULL, &client) || (reading->input && !freopen(reading->input, "r", stdin)))
    return -1;
  int status = puzzle_file_read(client, reading->path, &puzzle);
  if (status == 0)
    puts(cm_puzzle_game(puzzle) == CM_GRAPH ? "graph" : "grid");
  cm_puzzle_free(puzzle);
  cm_close(client);
  return status;
}

static void assert_read(const char *path, const char *input, int status, const char *said)
{
  struct reading reading = {path, input};
  struct captured captured;
  capture(read_puzzle, &reading, &captured);
  assert_int_equal(captured.status, status);
  assert_contains(status ? captured.err : captured.out, said);
}

static void test_files(void **state)
{
  struct folder *folder = *state;
  folder_write(folder, SMALL, 0600);
  assert_read(folder->file, NULL, 0, "graph\n");
  assert_read("-", folder->file, 0, "graph\n");
  assert_read(NULL, folder->file, 0, "graph\n");
  folder_write(folder, "[\"MCF\"]\n1\n1\n", 0600);
  assert_read(folder->file, NULL, 0, "grid\n");
}

static void test_large_file(void **state)
{
  struct folder *folder = *state;
  enum { SPACES = 200000 };
  char *text = malloc(SPACES + sizeof SMALL);
  memset(text, ' ', SPACES);
  memcpy(text + SPACES, SMALL, sizeof SMALL);
  folder_write(folder, text, 0600);
  free(text);
  assert_read(folder->file, NULL, 0, "graph\n");
}

static void test_unreadable(void **state)
{
  struct folder *folder = *state;
  assert_read(folder->file, NULL, EXIT_USAGE, "file: No such file or directory");
  assert_read(folder->path, NULL, EXIT_USAGE, "Is a directory");
  folder_write(folder, "", 0600);
  assert_read(folder->file, NULL, EXIT_USAGE, "file is empty");
  assert_read("-", folder->file, EXIT_USAGE, "standard input is empty");
  folder_write(folder, "?", 0600);
  assert_read(folder->file, NULL, EXIT_USAGE, "file: byte 1 of the JSON");
  assert_read(NULL, folder->file, EXIT_USAGE, "standard input: byte 1 of the JSON");
}

static void test_refused(void **state)
{
  struct folder *folder = *state;
  folder_write(folder, "{\"graph\": 7}", 0600);
  assert_read(folder->file, NULL, EXIT_REFUSED, "E_BAD_PUZZLE: graph is 7, not a list\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {
      TEST(test_files),
      TEST(test_large_file),
      TEST(test_unreadable),
      TEST(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
