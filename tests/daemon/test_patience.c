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

/* Looks come four times within the shortest limit, of the real clock. */
enum { MESSAGE_MS = 1000, MOST_OF_IT_MS = 900, UNREAD_MS = 20, LARGE = 2 * READ_BYTES };

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_uint_fast64_t now_ms;
  sem_t looked;           /* posted for each look at a connection */
  atomic_bool is_partial; /* some of a message had come by then */
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
  sem_post(&tested.looked);
  return time_ms;
}

/* At all connections, of which there are two, from now on: the first look may have begun before. */
static void wait_for_a_look(void)
{
  while (sem_trywait(&tested.looked) == 0)
    continue;
  for (int i = 0; i < 4; i++)
    sem_wait(&tested.looked);
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

static int start(void **state)
{
  sem_init(&tested.looked, 0, 0);
  tested.limits = daemon_limits_default;
  tested.limits.message_ms = MESSAGE_MS;
  tested.limits.unread_ms = UNREAD_MS;
  tested.daemon.limits = &tested.limits;
  return daemon_thread_setup(state);
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
      cmocka_unit_test_prestate_setup_teardown(test_each_message_has_its_own_time, start, stop,
                                               &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
