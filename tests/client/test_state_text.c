/* States as people write them, and what they are told of those that are none. */
#include "client/state_text.h"

#include <string.h>

#include "client/failure.h"
#include "tests/client/capture.h"
#include "tests/client/client_test.h"

struct good {
  const char *text;
  struct grid_size grid;
  struct cm_state state;
};

static const struct good good[] = {
    {"1,2,mouse", {0}, {1, 2, CM_MOUSE}},
    {"1,2,0", {0}, {1, 2, CM_MOUSE}},
    {"0,4294967295,cat", {0}, {0, UINT32_MAX, CM_CAT}},
    {" 1 , 2 , 1", {0}, {1, 2, CM_CAT}},
    {"2:0,1:1,mouse", {3, 5}, {10, 6, CM_MOUSE}},
    {"2: 4,7,cat", {3, 5}, {14, 7, CM_CAT}},
};

struct bad {
  const char *text;
  struct grid_size grid;
  const char *sentence;
};

static const struct bad bad[] = {
    {"", {0}, "the mouse is at no node"},
    {"-1,2,0", {0}, "the mouse is at no node"},
    {"+1,2,0", {0}, "the mouse is at no node"},
    {"4294967296,2,0", {0}, "the mouse is at no node"},
    {"99999999999999999999,2,0", {0}, "the mouse is at no node"},
    {"1", {0}, "not of the form M,C,T"},
    {"1,", {0}, "the cat is at no node"},
    {"1,2", {0}, "not of the form M,C,T"},
    {"1;2;0", {0}, "not of the form M,C,T"},
    {"1,2,", {0}, "'' is neither mouse nor cat"},
    {"1,2,2", {0}, "'2' is neither mouse nor cat"},
    {"1,2,mouse ", {0}, "'mouse ' is neither mouse nor cat"},
    {"0:1,2,0", {0}, "row:col is for grids, and this puzzle is a graph"},
    {"0:,2,0", {3, 5}, "the mouse has no column"},
    {"0,2:x,0", {3, 5}, "the cat has no column"},
    {"3:0,2,0", {3, 5}, "the mouse is outside of the grid's 3 rows and 5 columns"},
    {"0,2:5,0", {3, 5}, "the cat is outside of the grid's 3 rows and 5 columns"},
    {"858993459:1,0,0", {3, 5}, "the mouse is outside"},
};

static void test_good(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    struct cm_state parsed;
    assert_int_equal(state_parse(good[i].text, good[i].grid, &parsed), 0);
    assert_memory_equal(&parsed, &good[i].state, sizeof parsed);
    assert_int_equal(state_needs_grid(good[i].text), good[i].grid.cols > 0);
  }
}

static int parse_bad(void *context)
{
  const struct bad *one = context;
  struct cm_state state;
  return state_parse(one->text, one->grid, &state);
}

static void test_bad(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct captured captured;
    capture(parse_bad, (void *)&bad[i], &captured);
    assert_int_equal(captured.status, EXIT_USAGE);
    assert_contains(captured.err, "cmclient: --state ");
    assert_contains(captured.err, bad[i].sentence);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_bad)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
