/*
 * A whole daemon, of whose loop each allocation fails in turn, alone or with all later ones, while it answers
 * each method: whoever asked gets the answer, E_NO_MEMORY or a closed connection, and the daemon goes on. What
 * `evict` and `clear` refuse so has not happened, and what they were not about is as it was; only the answer to what
 * has happened may lack memory, too.
 */
#include <stdio.h>

#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"
#include "tests/proto/samples.h"

enum { PUZZLES = 3, FAILURES_MAX = 2000 };

/* Paths of three to five nodes, and the ids that these have. */
static const char *const puzzle[PUZZLES] = {
    "[[1],[0,2],[1]]",
    "[[1],[0,2],[1,3],[2]]",
    "[[1],[0,2],[1,3],[2,4],[3]]",
};

static struct {
  struct daemon_thread daemon;
  long failures; /* that were brought about */
  char id[PUZZLES][ID_TEXT + 1];
  unsigned left;    /* how many puzzles are to be left */
  unsigned refused; /* how often nothing happened */
} tested;

/* What is asked again and again. */
struct trial {
  const struct buffer *request;
  enum encoding encoding;
  unsigned wanted; /* answers */
  bool and_later;
  const char *what;
  void (*prepare)(void);
  void (*check)(const struct buffer *answer); /* or NULL */
};

static void fail_each_allocation(const struct trial *trial)
{
  struct buffer answer = {0};
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    if (nth == FAILURES_MAX)
      fail_msg("%s allocates without end", trial->what);
    trial->prepare();
    daemon_thread_fail(&tested.daemon, nth, trial->and_later);
    bool answered = daemon_thread_ask_all(&tested.daemon, trial->request, trial->encoding,
                                          trial->wanted, &answer);
    failed = daemon_thread_recover(&tested.daemon);
    tested.failures += failed;
    if (!failed && !answered)
      fail_msg("%s: no answer, though no allocation failed", trial->what);
    if (!failed && answer_count(&answer, "E_NO_MEMORY") > 0)
      fail_msg("%s: E_NO_MEMORY, though no allocation failed", trial->what);
    if (answered && trial->check)
      trial->check(&answer);
  }
  buffer_deinit(&answer);
}

static void ask_sample(enum method method)
{
  struct buffer request = {0}, answer = {0};
  sample_append(&request, ENCODING_MSGPACK, method);
  assert_true(daemon_thread_ask(&tested.daemon, &request, ENCODING_MSGPACK, &answer));
  if (method == METHOD_SOLVE)
    assert_non_null(memmem(answer.data, answer.length, "solve_us", 8));
  buffer_deinit(&request);
  buffer_deinit(&answer);
}

/* What was solved goes, so that the next question about it takes a solve... */
static void forget_sample(void)
{
  ask_sample(METHOD_CLEAR);
}

/* ...or it is there. */
static void solve_sample(void)
{
  ask_sample(METHOD_CLEAR);
  ask_sample(METHOD_SOLVE);
}

static void fail_each_method(bool and_later, void (*prepare)(void))
{
  for (enum method method = 0; method < METHOD_SHUTDOWN; method++) {
    struct buffer packed = {0}, json = {0};
    const char *what = method_kinds[method].name;
    sample_append(&packed, ENCODING_MSGPACK, method);
    sample_append_json(&json, ENCODING_CONTENT_LENGTH, sample_json[method]);
    fail_each_allocation(
        &(struct trial){&packed, ENCODING_MSGPACK, 1, and_later, what, prepare, NULL});
    fail_each_allocation(
        &(struct trial){&json, ENCODING_CONTENT_LENGTH, 1, and_later, what, prepare, NULL});
    buffer_deinit(&packed);
    buffer_deinit(&json);
  }
}

/* Larger than what is read at once: it grows in a buffer of its own and is read by a helper. */
static void fail_large_message(bool and_later)
{
  struct buffer request = solve_text(200, add_all, "");
  request.length--; /* its end as a string */
  fail_each_allocation(&(struct trial){&request, ENCODING_JSON_LINES, 1, and_later,
                                       "a large puzzle", solve_sample, NULL});
  buffer_deinit(&request);
}

/* Some are answered at once, some when the solve ends, one when a check has: none is left out. */
static void fail_many_requests(bool and_later, void (*prepare)(void))
{
  struct buffer requests = {0};
  unsigned wanted = 0;
  for (enum method method = 0; method < METHOD_SHUTDOWN; method++) {
    if (method == METHOD_CLEAR || method == METHOD_EVICT)
      continue;
    sample_append(&requests, ENCODING_MSGPACK, method);
    wanted++;
  }
  fail_each_allocation(&(struct trial){&requests, ENCODING_MSGPACK, wanted, and_later,
                                       "many requests", prepare, NULL});
  buffer_deinit(&requests);
}

static void fail_everything(bool and_later)
{
  tested.failures = 0;
  fail_each_method(and_later, forget_sample);
  fail_each_method(and_later, solve_sample);
  fail_many_requests(and_later, forget_sample);
  fail_many_requests(and_later, solve_sample);
  fail_large_message(and_later);
  assert_true(tested.failures > METHOD_COUNT);
  solve_sample();
}

CASE(memory_lacks_for_a_moment)
{
  fail_everything(false);
}

/* Not even saying so is possible: the connection must go then. */
CASE(memory_lacks_for_long)
{
  fail_everything(true);
}

static void solve_all(void)
{
  for (int number = 0; number < PUZZLES; number++) {
    struct buffer request = {0}, answer = {0};
    add_text(&request, "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":");
    add_text(&request, "%s}}\n", puzzle[number]);
    assert_true(daemon_thread_ask(&tested.daemon, &request, ENCODING_JSON_LINES, &answer));
    find_id(answer.data, tested.id[number]);
    buffer_deinit(&request);
    buffer_deinit(&answer);
  }
}

static void check_evicted(const struct buffer *answer)
{
  const bool lacks = answer_count(answer, "E_NO_MEMORY") > 0;
  const bool is_refused = lacks && answer_count(answer, "out of memory for the answer") == 0;
  struct buffer list = {0};
  assert_int_equal(answer_count(answer, "\"evicted\":"), !lacks);
  tested.refused += is_refused;
  daemon_thread_ask_json(&tested.daemon, "{\"id\":1,\"method\":\"list\"}\n", &list);
  assert_int_equal(answer_count(&list, "\"where\":\"memory\""), is_refused ? PUZZLES : tested.left);
  buffer_deinit(&list);
  for (int number = 0; number < PUZZLES; number++) {
    char request[256];
    snprintf(request, sizeof request,
             "{\"id\":1,\"method\":\"query\",\"params\":{\"id\":\"%s\",\"state\":"
             "{\"mouse\":1,\"cat\":2,\"turn\":0}}}\n",
             tested.id[number]);
    const bool is_known = is_refused || (number > 0 && tested.left > 0);
    daemon_thread_expect(&tested.daemon, request, is_known ? "\"outcome\"" : "E_UNKNOWN_ID");
  }
}

static void fail_evicting(const char *text, unsigned left)
{
  struct buffer request = {0};
  buffer_append(&request, text, strlen(text));
  tested.left = left;
  tested.refused = 0;
  fail_each_allocation(
      &(struct trial){&request, ENCODING_JSON_LINES, 1, false, text, solve_all, check_evicted});
  assert_true(tested.refused > 0);
  buffer_deinit(&request);
}

CASE(evict_and_clear)
{
  char request[128];
  solve_all();
  snprintf(request, sizeof request, "{\"id\":1,\"method\":\"evict\",\"params\":{\"id\":\"%s\"}}\n",
           tested.id[0]);
  fail_evicting(request, PUZZLES - 1);
  fail_evicting("{\"id\":1,\"method\":\"clear\"}\n", 0);
}

int main(void)
{
  int (*const with_store)(void **state) = daemon_thread_setup_with_store;
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(memory_lacks_for_a_moment, daemon_thread_setup, daemon_thread_teardown),
      DAEMON_TEST(memory_lacks_for_long, daemon_thread_setup, daemon_thread_teardown),
      DAEMON_TEST(evict_and_clear, daemon_thread_setup, daemon_thread_teardown),
      {"evict_and_clear_on_disk", test_evict_and_clear, with_store, daemon_thread_teardown,
       &tested.daemon},
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
