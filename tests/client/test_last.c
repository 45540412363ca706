/* The user's last puzzle: kept in the state folder, whole or not at all. */
#include "client/last.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/client/client_test.h"
#include "tests/client/folder.h"

static const struct last small = {
    .id = "d5aaf05e91fa3cca90f8fecd55d9e221ae08a766f7188faac9c9ed66b616c0f7",
    .game = CM_GRID,
    .nodes = 15,
    .cols = 5,
    .start = {.mouse = 10, .cat = 6},
    .name = "a name.txt",
};

static void test_kept(void **state)
{
  struct folder *folder = *state;
  struct last last;
  time_t before = time(NULL);
  setenv("XDG_STATE_HOME", folder->path, 1);
  assert_int_equal(last_read(&last), -ENOENT);
  assert_int_equal(last_write(&small), 0);
  assert_int_equal(last_read(&last), 0);
  assert_string_equal(last.id, small.id);
  assert_string_equal(last.name, small.name);
  assert_int_equal(last.game, CM_GRID);
  assert_int_equal(last.nodes, 15);
  assert_int_equal(last.cols, 5);
  assert_int_equal(last.start.mouse, 10);
  assert_int_equal(last.start.cat, 6);
  assert_in_range(last.solved, before, time(NULL));
}

static void test_in_home(void **state)
{
  struct folder *folder = *state;
  char path[512];
  struct last last;
  unsetenv("XDG_STATE_HOME");
  setenv("HOME", folder->path, 1);
  assert_int_equal(last_write(&small), 0);
  assert_int_equal(last_read(&last), 0);
  snprintf(path, sizeof path, "%s/.local/state/catmouse/last", folder->path);
  assert_int_equal(access(path, R_OK), 0);
  setenv("HOME", "nowhere", 1);
  assert_int_equal(last_write(&small), -ENOENT);
  assert_int_equal(last_read(&last), -ENOENT);
}

/* What is no such file counts as none. */
static void test_junk(void **state)
{
  static const char *const junk[] = {
      "", "id\n", "id 12\nnodes 5\n", "\xff\xff\xff",
      "id d5aaf05e91fa3cca90f8fecd55d9e221ae08a766f7188faac9c9ed66b616c0f7\n"};
  struct folder *folder = *state;
  char path[512];
  struct last last;
  setenv("XDG_STATE_HOME", folder->path, 1);
  snprintf(path, sizeof path, "%s/catmouse", folder->path);
  assert_int_equal(mkdir(path, 0700), 0);
  strcat(path, "/last");
  for (size_t i = 0; i < sizeof junk / sizeof junk[0]; i++) {
    FILE *file = fopen(path, "w");
    fputs(junk[i], file);
    fclose(file);
    assert_int_equal(last_read(&last), -ENOENT);
  }
}

/* What cannot be renamed leaves what is there as it was, and nothing beside it. */
static void test_not_written(void **state)
{
  struct folder *folder = *state;
  char path[512];
  setenv("XDG_STATE_HOME", folder->path, 1);
  snprintf(path, sizeof path, "%s/catmouse", folder->path);
  assert_int_equal(mkdir(path, 0700), 0);
  strcat(path, "/last");
  assert_int_equal(mkdir(path, 0700), 0);
  assert_int_equal(last_write(&small), -EISDIR);
  assert_int_equal(rmdir(path), 0);
  *strrchr(path, '/') = '\0';
  assert_int_equal(rmdir(path), 0);
}

static void test_words(void **state)
{
  static const struct {
    time_t age;
    const char *words;
  } ages[] = {
      {-1, "just now"}, {90, "1 minute ago"}, {9000, "2 hours ago"}, {216000, "2 days ago"}};
  char words[160], expected[160];
  struct last last = small;
  (void)state;
  for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++) {
    last.solved = time(NULL) - ages[i].age;
    last_words(&last, words);
    snprintf(expected, sizeof expected, "puzzle d5aaf0, grid of 15 nodes, solved %s",
             ages[i].words);
    assert_string_equal(words, expected);
  }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {
      TEST(test_kept),        TEST(test_in_home), TEST(test_junk),
      TEST(test_not_written), TEST(test_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
