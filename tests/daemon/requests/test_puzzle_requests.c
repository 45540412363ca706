/* Which puzzle a request means: the one it holds, the one that its digits name, or its connection's last. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* By the puzzle itself, by a whole id and by a part of one, as they come. */
CASE(whatever_names_a_puzzle_makes_it_the_last)
{
  int fd = daemon_thread_connect(&tested.daemon);
  for (int digits = ID_PREFIX_MIN; digits <= ID_TEXT; digits++) {
    expect_by_id(fd, tested.id3, digits, tested.id3);
    ask_line(fd, ASK("query", STATE), tested.id3);
    ask_line(fd, ASK("query", STATE "," PATH4), tested.id4);
    ask_line(fd, ASK("query", STATE), tested.id4);
  }
  close(fd);
}

CASE(unknown_ids_are_told)
{
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
      DAEMON_TEST(whatever_names_a_puzzle_makes_it_the_last, start, daemon_thread_teardown),
      DAEMON_TEST(unknown_ids_are_told, start, daemon_thread_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
