/* Which puzzle a request means: the one it holds, the one that its digits name, or its connection's last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/daemon/daemon_thread.h"

#define ASK(method, params) "{\"id\":1,\"method\":\"" method "\",\"params\":{" params "}}\n"
#define PATH3               "\"puzzle\":[[1],[0,2],[1]]"
#define PATH4               "\"puzzle\":[[1],[0,2],[1,3],[2]]"
#define STATE               "\"state\":{\"mouse\":1,\"cat\":2,\"turn\":0}"

static struct {
  struct daemon_thread daemon;
  char id3[ID_TEXT + 1], id4[ID_TEXT + 1];
} tested;

static int connect_peer(void)
{
  return daemon_thread_connect(&tested.daemon);
}

static void expect(int fd, const char *request, const char *expected)
{
  send_text(fd, request);
  expect_line(fd, expected);
}

/* By so many digits of an id. */
static void expect_by_id(int fd, const char *id, int digits, const char *expected)
{
  char request[256];
  snprintf(request, sizeof request, ASK("query", STATE ",\"id\":\"%.*s\""), digits, id);
  expect(fd, request, expected);
}

static void test_a_connection_has_its_own_last_puzzle(void **state)
{
  (void)state;
  int one = connect_peer(), other = connect_peer(), third = connect_peer();
  expect(one, ASK("solve", PATH3), "\"source\":\"memory\"");
  expect(other, ASK("solve", PATH4), "\"source\":\"memory\"");
  expect(one, ASK("query", STATE), tested.id3);
  expect(other, ASK("line", STATE), tested.id4);
  expect(one, ASK("stats", ""), tested.id3);
  expect(other, ASK("verify", ""), tested.id4);
  expect(third, ASK("query", STATE), "E_NO_PUZZLE");
  close(one);
  close(other);
  close(third);
}

/* By the puzzle itself, by a whole id and by a part of one, as they come. */
static void test_whatever_names_a_puzzle_makes_it_the_last(void **state)
{
  (void)state;
  int fd = connect_peer();
  for (int digits = ID_PREFIX_MIN; digits <= ID_TEXT; digits++) {
    expect_by_id(fd, tested.id3, digits, tested.id3);
    expect(fd, ASK("query", STATE), tested.id3);
    expect(fd, ASK("query", STATE "," PATH4), tested.id4);
    expect(fd, ASK("query", STATE), tested.id4);
  }
  close(fd);
}

/* Sent without waiting for answers: each means what its sender meant. */
static void test_in_the_order_they_were_sent(void **state)
{
  char requests[512];
  (void)state;
  int fd = connect_peer();
  int length = snprintf(requests, sizeof requests, ASK("query", STATE ",\"id\":\"%.*s\""),
                        ID_PREFIX_MIN, tested.id3);
  snprintf(requests + length, sizeof requests - (size_t)length,
           ASK("query", STATE) ASK("query", STATE "," PATH4) ASK("query", STATE));
  send_text(fd, requests);
  expect_line(fd, tested.id3);
  expect_line(fd, tested.id3);
  expect_line(fd, tested.id4);
  expect_line(fd, tested.id4);
  close(fd);
}

static void test_unknown_ids_are_told(void **state)
{
  (void)state;
  char id[ID_TEXT + 1];
  int fd = connect_peer();
  memset(id, '0', ID_TEXT);
  id[ID_TEXT] = '\0';
  expect_by_id(fd, id, ID_PREFIX_MIN, "no solved puzzle has id 000000\"");
  expect_by_id(fd, id, ID_TEXT, "E_UNKNOWN_ID");
  expect_by_id(fd, tested.id3, ID_TEXT, tested.id3);
  expect(fd, ASK("clear", ""), "\"evicted\":2");
  expect(fd, ASK("query", STATE), "the puzzle that this connection last named is gone");
  expect_by_id(fd, tested.id3, ID_TEXT, "E_UNKNOWN_ID");
  close(fd);
}

static void solve(const char *request, char id[static ID_TEXT + 1])
{
  struct buffer answer = {0};
  daemon_thread_ask_json(&tested.daemon, request, &answer);
  find_id(answer.data, id);
  buffer_deinit(&answer);
}

static int start(void **state)
{
  daemon_thread_setup(state);
  solve(ASK("solve", PATH3), tested.id3);
  solve(ASK("solve", PATH4), tested.id4);
  return 0;
}

static struct CMUnitTest test_of(const char *name, CMUnitTestFunction function)
{
  return (struct CMUnitTest){name, function, start, daemon_thread_teardown, &tested.daemon};
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      test_of("a connection has its own last puzzle", test_a_connection_has_its_own_last_puzzle),
      test_of("whatever names a puzzle makes it the last",
              test_whatever_names_a_puzzle_makes_it_the_last),
      test_of("in the order they were sent", test_in_the_order_they_were_sent),
      test_of("unknown ids are told", test_unknown_ids_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
