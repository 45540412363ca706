/*
 * `evict` and `clear` while each allocation of the loop fails in turn: what is refused with E_NO_MEMORY has not
 * happened, and what it was not about is as it was. Only the answer to what has happened may lack memory, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/daemon/daemon_thread.h"

enum { PUZZLES = 3, FAILURES_MAX = 200 };

/* Paths of three to five nodes, and the ids that these have. */
static const char *const puzzle[PUZZLES] = {
    "[[1],[0,2],[1]]",
    "[[1],[0,2],[1,3],[2]]",
    "[[1],[0,2],[1,3],[2,4],[3]]",
};

static struct {
  struct daemon_thread daemon;
  char id[PUZZLES][ID_TEXT + 1];
} tested;

static void solve(int number)
{
  struct buffer answer = {0};
  char request[128];
  snprintf(request, sizeof request, "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":%s}}\n",
           puzzle[number]);
  daemon_thread_ask_json(&tested.daemon, request, &answer);
  find_id(answer.data, tested.id[number]);
  buffer_deinit(&answer);
}

static unsigned count_in_memory(void)
{
  struct buffer answer = {0};
  daemon_thread_ask_json(&tested.daemon, "{\"id\":1,\"method\":\"list\"}\n", &answer);
  unsigned count = answer_count(&answer, "\"where\":\"memory\"");
  buffer_deinit(&answer);
  return count;
}

static bool is_known(int number)
{
  struct buffer answer = {0};
  char request[256];
  snprintf(request, sizeof request,
           "{\"id\":1,\"method\":\"query\",\"params\":{\"id\":\"%s\",\"state\":"
           "{\"mouse\":1,\"cat\":2,\"turn\":0}}}\n",
           tested.id[number]);
  daemon_thread_ask_json(&tested.daemon, request, &answer);
  bool known = answer_count(&answer, "\"outcome\"") > 0;
  assert_int_equal(known, answer_count(&answer, "E_UNKNOWN_ID") == 0);
  buffer_deinit(&answer);
  return known;
}

static void check(bool is_refused, unsigned left)
{
  assert_int_equal(count_in_memory(), is_refused ? PUZZLES : left);
  assert_int_equal(is_known(0), is_refused);
  for (int number = 1; number < PUZZLES; number++)
    assert_int_equal(is_known(number), is_refused || left > 0);
}

/* `left`: how many puzzles are left once it was done. */
static void fail_each_allocation(const char *text, unsigned left)
{
  struct buffer request = {0}, answer = {0};
  unsigned refused = 0;
  bool failed = true;
  buffer_append(&request, text, strlen(text));
  for (long nth = 0; failed; nth++) {
    assert_true(nth < FAILURES_MAX);
    for (int number = 0; number < PUZZLES; number++)
      solve(number);
    daemon_thread_fail(&tested.daemon, nth, false);
    bool answered = daemon_thread_ask(&tested.daemon, &request, ENCODING_JSON_LINES, &answer);
    failed = daemon_thread_recover(&tested.daemon);
    bool lacks = answered && answer_count(&answer, "E_NO_MEMORY") > 0;
    bool is_refused = lacks && answer_count(&answer, "out of memory for the answer") == 0;
    if (answered && !lacks)
      assert_int_equal(answer_count(&answer, "\"evicted\":"), 1);
    if (answered)
      check(is_refused, left);
    refused += is_refused;
  }
  assert_true(refused > 0);
  buffer_deinit(&request);
  buffer_deinit(&answer);
}

static void test_evict(void **state)
{
  (void)state;
  char request[128];
  solve(0);
  snprintf(request, sizeof request, "{\"id\":1,\"method\":\"evict\",\"params\":{\"id\":\"%s\"}}\n",
           tested.id[0]);
  fail_each_allocation(request, PUZZLES - 1);
}

static void test_clear(void **state)
{
  (void)state;
  fail_each_allocation("{\"id\":1,\"method\":\"clear\"}\n", 0);
}

int main(void)
{
  int (*const with_store)(void **state) = daemon_thread_setup_with_store;
  const struct CMUnitTest tests[] = {
      {"test_evict", test_evict, daemon_thread_setup, daemon_thread_teardown, &tested.daemon},
      {"test_clear", test_clear, daemon_thread_setup, daemon_thread_teardown, &tested.daemon},
      {"test_evict_on_disk", test_evict, with_store, daemon_thread_teardown, &tested.daemon},
      {"test_clear_on_disk", test_clear, with_store, daemon_thread_teardown, &tested.daemon},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
