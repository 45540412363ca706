/* What puzzles were called: the newest entry counts, and the oldest go. */
#include "client/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/client/client_test.h"
#include "tests/client/folder.h"

static const char id[] = "d5aaf05e91fa3cca90f8fecd55d9e221ae08a766f7188faac9c9ed66b616c0f7";
static const struct cm_state start = {.mouse = 10, .cat = 6};

static void test_kept(void **state)
{
  struct folder *folder = *state;
  struct names names;
  setenv("XDG_STATE_HOME", folder->path, 1);
  assert_int_equal(names_read(&names), 0);
  assert_null(names_find(&names, id));
  names_deinit(&names);
  assert_int_equal(names_add(id, &start, &(struct cm_verdict){CM_DRAW, CM_PLIES_NONE}, "first"), 0);
  assert_int_equal(names_add(id, &start, &(struct cm_verdict){CM_CAT_WINS, 22}, "a second name"),
                   0);
  assert_int_equal(names_add(id, &start, NULL, "a third name"), 0);
  assert_int_equal(names_read(&names), 0);
  assert_string_equal(names_find(&names, id)->verdict, "cat 22");
  assert_string_equal(names_find(&names, id)->name, "a second name");
  assert_string_equal(names.named[0].verdict, "draw");
  assert_int_equal(names_find(&names, id)->start.mouse, 10);
  assert_int_equal(names_find(&names, id)->start.cat, 6);
  names_deinit(&names);
}

/* Part of an id finds it as long as no other begins so. */
static void test_prefixes(void **state)
{
  struct folder *folder = *state;
  struct names names;
  char other[sizeof id];
  setenv("XDG_STATE_HOME", folder->path, 1);
  strcpy(other, id);
  other[8] = 'f';
  assert_int_equal(names_add(other, &start, NULL, "other"), 0);
  assert_int_equal(names_add(id, &start, NULL, "this"), 0);
  assert_int_equal(names_read(&names), 0);
  assert_string_equal(names_find(&names, "d5aaf05E9")->name, "this");
  assert_string_equal(names_find(&names, other)->name, "other");
  assert_null(names_find(&names, "d5aaf05e"));
  assert_null(names_find(&names, "d5aaf06"));
  names_deinit(&names);
}

static void test_oldest_go(void **state)
{
  enum { ADDED = 20000 };
  struct folder *folder = *state;
  struct names names;
  char other[sizeof id];
  setenv("XDG_STATE_HOME", folder->path, 1);
  strcpy(other, id);
  for (int i = 0; i < ADDED; i++) {
    char digits[9];
    snprintf(digits, sizeof digits, "%08x", (unsigned)i);
    memcpy(other, digits, 8);
    assert_int_equal(names_add(other, &start, &(struct cm_verdict){CM_MOUSE_WINS, 7}, "name"), 0);
  }
  assert_int_equal(names_read(&names), 0);
  assert_in_range(names.count, 5000, ADDED - 1);
  assert_non_null(names_find(&names, other));
  names_deinit(&names);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {TEST(test_kept), TEST(test_prefixes), TEST(test_oldest_go)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
