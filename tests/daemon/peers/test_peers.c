/* The time that a peer has for one message, by a clock that is set here: nothing waits for time to pass. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/connection.h"
#include "daemon/receiving.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"

/* Looks come four times within the shortest limit, of the real clock. */
enum { MESSAGE_MS = 1000, MOST_OF_IT_MS = 900, UNREAD_MS = 20, LARGE = 2 * READ_BYTES };

/* Of so many nodes around one, that many answers are more than the daemon's socket takes. */
enum { STAR = 5000, ANSWERS = 3 };
#define ASK \
  "{\"id\":2,\"method\":\"query\",\"params\":{\"state\":{\"mouse\":1,\"cat\":2,\"turn\":0}}}\n"

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_uint_fast64_t now_ms;
  sem_t looked;           /* posted for each look at a connection */
  atomic_bool is_partial; /* some of a message had come by then */
  atomic_bool is_held;    /* and no more was read */
} tested;

/* Wrapped at link time. */
uint64_t __wrap_uv_now(const uv_loop_t *loop);
uint64_t __real_receiving_unfinished_ms(const struct connection *connection);
uint64_t __wrap_receiving_unfinished_ms(const struct connection *connection);

uint64_t __wrap_uv_now(const uv_loop_t *loop)
{
  (void)loop;
  return atomic_load(&tested.now_ms);
}

uint64_t __wrap_receiving_unfinished_ms(const struct connection *connection)
{
  uint64_t time_ms = __real_receiving_unfinished_ms(connection);
  if (connection->in.length > 0)
    atomic_store(&tested.is_partial, true);
  atomic_store(&tested.is_held, connection->in.length > 0 && !connection->reading);
  sem_post(&tested.looked);
  return time_ms;
}

/* At all connections, of which there are so many, from now on: the first look may have begun before. */
static void wait_for_looks(int connections)
{
  while (sem_trywait(&tested.looked) == 0)
    continue;
  for (int i = 0; i < 2 * connections; i++)
    sem_wait(&tested.looked);
}

static void wait_for_a_look(void)
{
  wait_for_looks(2);
}

static void send_text(int fd, const char *text)
{
  assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static void expect_line(int fd, const char *expected)
{
  char line[512] = "";
  size_t length = 0;
  while (length < sizeof line - 1 && (length == 0 || line[length - 1] != '\n'))
    assert_int_equal(recv(fd, line + length++, 1, 0), 1);
  if (!strstr(line, expected))
    fail_msg("no %s in the answer: %s", expected, line);
}

static void skip_line(int fd)
{
  for (char byte = '\0'; byte != '\n';)
    assert_int_equal(recv(fd, &byte, 1, 0), 1);
}

static void test_each_message_has_its_own_time(void **state)
{
  (void)state;
  char spaces[LARGE + 1];
  memset(spaces, ' ', LARGE);
  spaces[LARGE] = '\0';
  int bystander = daemon_thread_connect(&tested.daemon);
  int fd = daemon_thread_connect(&tested.daemon);
  send_text(fd, "{\"id\":1,\"method\":\"ping\"");
  send_text(fd, spaces);
  while (!atomic_load(&tested.is_partial))
    wait_for_a_look();
  atomic_fetch_add(&tested.now_ms, MOST_OF_IT_MS);
  send_text(fd, "}\n{\"id\":2,\"method\":\"ping\"");
  expect_line(fd, "\"id\":1,\"result\":\"pong\"");
  atomic_fetch_add(&tested.now_ms, MOST_OF_IT_MS);
  wait_for_a_look();
  send_text(fd, "}\n");
  expect_line(fd, "\"id\":2,\"result\":\"pong\"");
  close(fd);
  close(bystander);
}

/* The daemon reads no more while an answer is left unread, and what it has of a message by then is in no hurry. */
static void test_time_while_nothing_is_read(void **state)
{
  (void)state;
  struct buffer solve = solve_text(STAR, add_star, "");
  int fd = daemon_thread_connect(&tested.daemon);
  send_text(fd, solve.data);
  buffer_deinit(&solve);
  expect_line(fd, "solve_us");
  send_text(fd, ASK ASK ASK "{\"id\":3,\"method\":\"ping\"");
  while (!atomic_load(&tested.is_held))
    wait_for_looks(1);
  atomic_fetch_add(&tested.now_ms, MESSAGE_MS);
  for (int answer = 0; answer < ANSWERS; answer++)
    skip_line(fd);
  while (atomic_load(&tested.is_held))
    wait_for_looks(1);
  send_text(fd, "}\n");
  expect_line(fd, "\"id\":3,\"result\":\"pong\"");
  close(fd);
}

static int start(void **state, uint64_t unread_ms)
{
  sem_init(&tested.looked, 0, 0);
  tested.limits = daemon_limits_default;
  tested.limits.message_ms = MESSAGE_MS;
  tested.limits.unread_ms = unread_ms;
  tested.limits.unsent_bytes = 1;
  tested.daemon.limits = &tested.limits;
  return daemon_thread_setup(state);
}

static int start_in_no_hurry(void **state)
{
  return start(state, 0);
}

static int start_for_readers(void **state)
{
  return start(state, UNREAD_MS);
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  sem_destroy(&tested.looked);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate_setup_teardown(test_each_message_has_its_own_time,
                                               start_for_readers, stop, &tested.daemon),
      cmocka_unit_test_prestate_setup_teardown(test_time_while_nothing_is_read, start_in_no_hurry,
                                               stop, &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
