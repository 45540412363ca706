/* States as people write them, and what they are told of those that are none. */
#include "client/state_text.h"

#include <string.h>

#include "client/failure.h"
#include "tests/client/capture.h"
#include "tests/client/client_test.h"

struct good {
  const char *text;
  struct cm_state state;
};

/* clang-format off */
static const struct good good[] = {
    {"1,2,mouse", {.mouse = 1, .cat = 2}},
    {"1,2,0", {.mouse = 1, .cat = 2}},
    {"0,4294967295,cat", {.cat = UINT32_MAX, .turn = CM_CAT}},
    {" 1 , 2 , 1", {.mouse = 1, .cat = 2, .turn = CM_CAT}},
    {"2:0,1:3,mouse", {.mouse_row = 2, .cat = 3, .cat_row = 1, .by_row = true}},
    {"2: 4, 7:0 ,cat", {.mouse = 4, .mouse_row = 2, .cat_row = 7, .turn = CM_CAT, .by_row = true}},
};
/* clang-format on */

struct bad {
  const char *text;
  const char *sentence;
};

static const struct bad bad[] = {
    {"", "the mouse is at no node"},
    {"-1,2,0", "the mouse is at no node"},
    {"+1,2,0", "the mouse is at no node"},
    {"4294967296,2,0", "the mouse is at no node"},
    {"99999999999999999999,2,0", "the mouse is at no node"},
    {"1", "not of the form M,C,T"},
    {"1,", "the cat is at no node"},
    {"1,2", "not of the form M,C,T"},
    {"1;2;0", "not of the form M,C,T"},
    {"1,2,", "'' is neither mouse nor cat"},
    {"1,2,2", "'2' is neither mouse nor cat"},
    {"1,2,mouse ", "'mouse ' is neither mouse nor cat"},
    {"0:,2:0,0", "the mouse has no column"},
    {"0:0,2:x,0", "the cat has no column"},
    {"0:1,2,0", "write row:col for both or for neither"},
    {"0,2:1,0", "write row:col for both or for neither"},
};

static void test_good(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    struct cm_state parsed;
    const struct cm_state *wanted = &good[i].state;
    assert_int_equal(state_parse(good[i].text, &parsed), 0);
    assert_int_equal(parsed.mouse, wanted->mouse);
    assert_int_equal(parsed.cat, wanted->cat);
    assert_int_equal(parsed.turn, wanted->turn);
    assert_int_equal(parsed.by_row, wanted->by_row);
    assert_int_equal(parsed.mouse_row, wanted->mouse_row);
    assert_int_equal(parsed.cat_row, wanted->cat_row);
  }
}

static int parse_bad(void *context)
{
  const struct bad *one = context;
  struct cm_state state;
  return state_parse(one->text, &state);
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
