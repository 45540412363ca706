/*
 * A whole daemon, of whose loop each allocation fails in turn, alone or with all later ones, while it answers
 * each method: whoever asked gets the answer, E_NO_MEMORY or a closed connection, and the daemon goes on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"
#include "tests/proto/samples.h"

enum { FAILURES_MAX = 2000 };

static struct {
  struct daemon_thread daemon;
  bool is_solved; /* the puzzle that is asked about */
  long failures;  /* that were brought about */
} tested;

static void ask(enum method method)
{
  struct buffer request = {0}, answer = {0};
  sample_append(&request, ENCODING_MSGPACK, method);
  assert_true(daemon_thread_ask(&tested.daemon, &request, ENCODING_MSGPACK, &answer));
  buffer_deinit(&request);
  buffer_deinit(&answer);
}

/* What was solved goes, so that the next question about it takes a solve; or it is there. */
static void prepare(bool is_solved)
{
  ask(METHOD_CLEAR);
  if (is_solved)
    ask(METHOD_SOLVE);
}

/* `wanted`: how many answers there are. */
static void fail_each_allocation(const struct buffer *request, enum encoding encoding,
                                 unsigned wanted, bool and_later, const char *what)
{
  struct buffer answer = {0};
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    if (nth == FAILURES_MAX)
      fail_msg("%s allocates without end", what);
    prepare(tested.is_solved);
    daemon_thread_fail(&tested.daemon, nth, and_later);
    bool answered = daemon_thread_ask_all(&tested.daemon, request, encoding, wanted, &answer);
    failed = daemon_thread_recover(&tested.daemon);
    tested.failures += failed;
    if (!failed && !answered)
      fail_msg("%s: no answer, though no allocation failed", what);
    if (!failed && answer_count(&answer, "E_NO_MEMORY") > 0)
      fail_msg("%s: E_NO_MEMORY, though no allocation failed", what);
  }
  buffer_deinit(&answer);
}

static void fail_each_method_msgpack(bool and_later)
{
  for (enum method method = 0; method < METHOD_SHUTDOWN; method++) {
    struct buffer request = {0};
    sample_append(&request, ENCODING_MSGPACK, method);
    fail_each_allocation(&request, ENCODING_MSGPACK, 1, and_later, method_kinds[method].name);
    buffer_deinit(&request);
  }
}

static void fail_each_method_json(bool and_later)
{
  for (enum method method = 0; method < METHOD_SHUTDOWN; method++) {
    struct buffer request = {0};
    sample_append_json(&request, ENCODING_CONTENT_LENGTH, sample_json[method]);
    fail_each_allocation(&request, ENCODING_CONTENT_LENGTH, 1, and_later,
                         method_kinds[method].name);
    buffer_deinit(&request);
  }
}

/* Larger than what is read at once: it grows in a buffer of its own and is read by a helper. */
static void fail_large_message(bool and_later)
{
  struct buffer request = solve_text(200, add_all, "");
  request.length--; /* its end as a string */
  fail_each_allocation(&request, ENCODING_JSON_LINES, 1, and_later, "a large puzzle");
  buffer_deinit(&request);
}

/* Some are answered at once, some when the solve ends, one when a check has: none is left out. */
static void fail_many_requests(bool and_later)
{
  struct buffer requests = {0};
  unsigned wanted = 0;
  for (enum method method = 0; method < METHOD_SHUTDOWN; method++) {
    if (method == METHOD_CLEAR || method == METHOD_EVICT)
      continue;
    sample_append(&requests, ENCODING_MSGPACK, method);
    wanted++;
  }
  fail_each_allocation(&requests, ENCODING_MSGPACK, wanted, and_later, "many requests");
  buffer_deinit(&requests);
}

static void assert_daemon_goes_on(void)
{
  struct buffer request = {0}, answer = {0};
  assert_true(tested.failures > METHOD_COUNT);
  sample_append(&request, ENCODING_MSGPACK, METHOD_SOLVE);
  assert_true(daemon_thread_ask(&tested.daemon, &request, ENCODING_MSGPACK, &answer));
  assert_non_null(memmem(answer.data, answer.length, "solve_us", 8));
  buffer_deinit(&request);
  buffer_deinit(&answer);
}

static void fail_everything(bool and_later)
{
  tested.failures = 0;
  for (int solved = 0; solved < 2; solved++) {
    tested.is_solved = solved;
    fail_each_method_msgpack(and_later);
    fail_each_method_json(and_later);
    fail_many_requests(and_later);
  }
  fail_large_message(and_later);
  assert_daemon_goes_on();
}

static void test_memory_lacks_for_a_moment(void **state)
{
  (void)state;
  fail_everything(false);
}

/* Not even saying so is possible: the connection must go then. */
static void test_memory_lacks_for_long(void **state)
{
  (void)state;
  fail_everything(true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(memory_lacks_for_a_moment, daemon_thread_setup, daemon_thread_teardown),
      DAEMON_TEST(memory_lacks_for_long, daemon_thread_setup, daemon_thread_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
