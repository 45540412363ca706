/* States as people write them, and what they are told of those that are none. */
#include "client/state_text.h"

#include <errno.h>
#include <string.h>

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
    {"1,2,m", {.mouse = 1, .cat = 2}},
    {"1 2 cat", {.mouse = 1, .cat = 2, .turn = CM_CAT}},
    {"1 2 C", {.mouse = 1, .cat = 2, .turn = CM_CAT}},
    {"(1,2,0)", {.mouse = 1, .cat = 2}},
    {"[1,2,1]", {.mouse = 1, .cat = 2, .turn = CM_CAT}},
    {"m=1,c=2,t=cat", {.mouse = 1, .cat = 2, .turn = CM_CAT}},
    {"T=Mouse; C=7, M=3", {.mouse = 3, .cat = 7}},
    {"{\"mouse\": 1, \"cat\": 2, \"turn\": \"cat\"}", {.mouse = 1, .cat = 2, .turn = CM_CAT}},
    {"r2c0,R1C3,mouse", {.mouse_row = 2, .cat = 3, .cat_row = 1, .by_row = true}},
    {"m=2:0 c=1:3 t=m", {.mouse_row = 2, .cat = 3, .cat_row = 1, .by_row = true}},
    {"1,2,mouse ", {.mouse = 1, .cat = 2}},
};
/* clang-format on */

struct bad {
  const char *text;
  const char *sentence;
};

static const struct bad bad[] = {
    {"", "the mouse is missing"},
    {"-1,2,0", "the mouse is at no node"},
    {"+1,2,0", "the mouse is at no node"},
    {"4294967296,2,0", "the mouse is at no node"},
    {"99999999999999999999,2,0", "the mouse is at no node"},
    {"1", "the cat is missing; write mouse, cat and turn, such as 1,2,mouse"},
    {"1,2", "the turn is missing"},
    {"1,x,0", "the cat is at no node"},
    {"1,2,2", "'2' is neither mouse nor cat"},
    {"1,2,dog", "'dog' is neither mouse nor cat"},
    {"1,2,cat,3", "'3' is left over"},
    {"m=1,m=2,t=cat", "the mouse is there twice"},
    {"0:,2:0,0", "the mouse has no column"},
    {"0:0,2:x,0", "the cat has no column"},
    {"r1,r2c3,0", "the mouse has no column"},
    {"0:1,2,0", "write row:column for both players or for neither"},
    {"0,2:1,0", "write row:column for both players or for neither"},
};

static void test_good(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    struct cm_state parsed;
    char why[STATE_WHY_MAX];
    const struct cm_state *wanted = &good[i].state;
    if (state_parse(good[i].text, &parsed, why))
      fail_msg("%s", why);
    assert_int_equal(parsed.mouse, wanted->mouse);
    assert_int_equal(parsed.cat, wanted->cat);
    assert_int_equal(parsed.turn, wanted->turn);
    assert_int_equal(parsed.by_row, wanted->by_row);
    assert_int_equal(parsed.mouse_row, wanted->mouse_row);
    assert_int_equal(parsed.cat_row, wanted->cat_row);
  }
}

static void test_bad(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct cm_state parsed;
    char why[STATE_WHY_MAX] = "";
    assert_int_equal(state_parse(bad[i].text, &parsed, why), -EINVAL);
    assert_contains(why, "--state ");
    assert_contains(why, bad[i].sentence);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_bad)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
