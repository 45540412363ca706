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

/* By so many digits of an id. */
static void expect_by_id(int fd, const char *id, int digits, const char *expected)
{
  char request[256];
  snprintf(request, sizeof request, ASK("query", STATE ",\"id\":\"%.*s\""), digits, id);
  ask_line(fd, request, expected);
}

static void test_a_connection_has_its_own_last_puzzle(void **state)
{
  (void)state;
  int one = daemon_thread_connect(&tested.daemon), other = daemon_thread_connect(&tested.daemon),
      third = daemon_thread_connect(&tested.daemon);
  ask_line(one, ASK("solve", PATH3), "\"source\":\"memory\"");
  ask_line(other, ASK("solve", PATH4), "\"source\":\"memory\"");
  ask_line(one, ASK("query", STATE), tested.id3);
  ask_line(other, ASK("line", STATE), tested.id4);
  ask_line(one, ASK("stats", ""), tested.id3);
  ask_line(other, ASK("verify", ""), tested.id4);
  ask_line(third, ASK("query", STATE), "E_NO_PUZZLE");
  close(one);
  close(other);
  close(third);
}

/* By the puzzle itself, by a whole id and by a part of one, as they come. */
static void test_whatever_names_a_puzzle_makes_it_the_last(void **state)
{
  (void)state;
  int fd = daemon_thread_connect(&tested.daemon);
  for (int digits = ID_PREFIX_MIN; digits <= ID_TEXT; digits++) {
    expect_by_id(fd, tested.id3, digits, tested.id3);
    ask_line(fd, ASK("query", STATE), tested.id3);
    ask_line(fd, ASK("query", STATE "," PATH4), tested.id4);
    ask_line(fd, ASK("query", STATE), tested.id4);
  }
  close(fd);
}

/* Sent without waiting for answers: each means what its sender meant. */
static void test_in_the_order_they_were_sent(void **state)
{
  char requests[512];
  (void)state;
  int fd = daemon_thread_connect(&tested.daemon);
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
  int fd = daemon_thread_connect(&tested.daemon);
  memset(id, '0', ID_TEXT);
  id[ID_TEXT] = '\0';
  expect_by_id(fd, id, ID_PREFIX_MIN, "no solved puzzle has id 000000\"");
  expect_by_id(fd, id, ID_TEXT, "E_UNKNOWN_ID");
  expect_by_id(fd, tested.id3, ID_TEXT, tested.id3);
  ask_line(fd, ASK("clear", ""), "\"evicted\":2");
  ask_line(fd, ASK("query", STATE), "the puzzle that this connection last named is gone");
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(a_connection_has_its_own_last_puzzle, start, daemon_thread_teardown),
      DAEMON_TEST(whatever_names_a_puzzle_makes_it_the_last, start, daemon_thread_teardown),
      DAEMON_TEST(in_the_order_they_were_sent, start, daemon_thread_teardown),
      DAEMON_TEST(unknown_ids_are_told, start, daemon_thread_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
