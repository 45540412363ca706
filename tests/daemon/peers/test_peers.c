/*
 * What bounds peers: the time for one message, to read answers and to do nothing, by a clock that is set here; how
 * much they may all leave unread; and how many they may be.
 */
#include <poll.h>
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

#include "daemon/peers/connection.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"
#include "tests/support/wrap.h"

/* Looks come four times within the shortest limit, of the real clock. */
enum {
  MESSAGE_MS = 1000,
  MOST_OF_IT_MS = 900,
  LOOK_MS = 20,
  LARGE = 2 * READ_BYTES,
  LONG_MS = 100000
};

/* Of so many nodes around one, that many answers are more than the daemon's socket takes. */
enum { STAR = 1500, ANSWERS = 12, UNSENT_TOTAL_BYTES = 2 << 20 };
#define ASK \
  "{\"id\":2,\"method\":\"query\",\"params\":{\"state\":{\"mouse\":1,\"cat\":2,\"turn\":0}}}\n"

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_uint_fast64_t now_ms;
  sem_t looked;           /* posted for each look at a connection */
  atomic_bool is_partial; /* some of a message had come by then */
  atomic_bool is_held;    /* and no more was read */
  atomic_bool is_writing; /* some of an answer was unread */
} tested;

/* Wrapped at link time. */
uint64_t __wrap_uv_now(const uv_loop_t *loop);
WRAPPED(void, connection_look, struct connection *connection);

uint64_t __wrap_uv_now(const uv_loop_t *loop)
{
  (void)loop;
  return atomic_load(&tested.now_ms);
}

void __wrap_connection_look(struct connection *connection)
{
  if (connection->in.length > 0)
    atomic_store(&tested.is_partial, true);
  atomic_store(&tested.is_held, connection->in.length > 0 && !connection->reading);
  atomic_store(&tested.is_writing, connection->writing);
  __real_connection_look(connection); /* it may be freed then */
  sem_post(&tested.looked);
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

/* How long it is. */
static size_t skip_line(int fd)
{
  char bytes[4096];
  size_t length = 0;
  const char *end = NULL;
  while (!end) {
    ssize_t got = recv(fd, bytes, sizeof bytes, MSG_PEEK);
    assert_true(got > 0);
    end = memchr(bytes, '\n', (size_t)got);
    size_t taken = end ? (size_t)(end - bytes) + 1 : (size_t)got;
    assert_int_equal(recv(fd, bytes, taken, 0), taken);
    length += taken;
  }
  return length;
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
  int fd = daemon_thread_connect(&tested.daemon);
  solve_on(fd, STAR, add_star, "solve_us");
  for (int i = 0; i < ANSWERS; i++)
    send_text(fd, ASK);
  send_text(fd, "{\"id\":3,\"method\":\"ping\"");
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

/* A peer that has so many answers to read, which its socket does not take. */
static int connect_and_ask(int answers)
{
  int fd = daemon_thread_connect(&tested.daemon);
  solve_on(fd, STAR, add_star, "solve_us");
  for (int i = 0; i < answers; i++)
    send_text(fd, ASK);
  return fd;
}

static void wait_until_writing(void)
{
  do
    wait_for_looks(1);
  while (!atomic_load(&tested.is_writing));
}

/* Without reading anything. */
static void wait_until_closed(int fd)
{
  struct pollfd peer = {.fd = fd};
  assert_int_equal(poll(&peer, 1, 60000), 1);
  assert_true(peer.revents & POLLHUP);
}

static void test_a_peer_that_reads_nothing_goes(void **state)
{
  (void)state;
  int fd = connect_and_ask(ANSWERS);
  wait_until_writing();
  atomic_fetch_add(&tested.now_ms, LONG_MS);
  wait_until_closed(fd);
  close(fd);
}

/* A socket takes more only when it is nearly empty, so that is what counts. */
static void test_a_peer_that_reads_slowly_stays(void **state)
{
  enum { PARTS = 4 };
  (void)state;
  int fd = connect_and_ask((PARTS + 1) * ANSWERS);
  for (int part = 0; part <= PARTS; part++) {
    if (part < PARTS) {
      wait_until_writing();
      atomic_fetch_add(&tested.now_ms, LONG_MS - 1);
    }
    for (int answer = 0; answer < ANSWERS; answer++)
      skip_line(fd);
  }
  expect_pong(fd);
  close(fd);
}

static void test_a_peer_that_does_nothing_goes(void **state)
{
  (void)state;
  int fd = daemon_thread_connect(&tested.daemon);
  for (int i = 0; i < 3; i++) {
    expect_pong(fd);
    wait_for_looks(1);
    atomic_fetch_add(&tested.now_ms, LONG_MS - 1);
    wait_for_looks(1);
  }
  atomic_fetch_add(&tested.now_ms, 1);
  assert_int_equal(read_to_end(fd), 0);
  close(fd);
}

/* In answer to what it asks; or, where it says nothing, in JSON after a while. */
static void test_one_too_many_is_told(void **state)
{
  (void)state;
  int first = daemon_thread_connect(&tested.daemon);
  expect_pong(first);
  int silent = daemon_thread_connect(&tested.daemon),
      asking = daemon_thread_connect(&tested.daemon);
  send_text(asking, "{\"id\":7,\"method\":\"ping\"}\n");
  expect_line(asking, "\"id\":7,\"error\"");
  assert_int_equal(read_to_end(asking), 0);
  close(asking);
  atomic_fetch_add(&tested.now_ms, MESSAGE_MS);
  expect_line(silent, "--connections-max");
  assert_int_equal(read_to_end(silent), 0);
  close(silent);
  expect_pong(first);
  close(first);
}

/* Each of the two leaves less unread than all may. */
static void test_the_one_with_the_most_unread_goes(void **state)
{
  (void)state;
  int most = connect_and_ask(1);
  const int all = UNSENT_TOTAL_BYTES / (int)skip_line(most);
  for (int answer = 0; answer < all / 5 * 4; answer++)
    send_text(most, ASK);
  wait_until_writing();
  int less = connect_and_ask(all / 2);
  wait_until_closed(most);
  close(most);
  for (int answer = 0; answer < all / 2; answer++)
    skip_line(less);
  expect_pong(less);
  close(less);
}

static int start(void **state)
{
  sem_init(&tested.looked, 0, 0);
  atomic_store(&tested.is_writing, false);
  tested.daemon.limits = &tested.limits;
  return daemon_thread_setup(state);
}

static void set_limits(uint64_t message_ms, uint64_t unread_ms, uint64_t idle_ms)
{
  tested.limits = daemon_limits_default;
  tested.limits.keep_ms = 4 * LOOK_MS; /* looks come four times as often */
  tested.limits.message_ms = message_ms;
  tested.limits.unread_ms = unread_ms;
  tested.limits.idle_ms = idle_ms;
  tested.limits.unsent_bytes = 1;
}

static int start_for_messages(void **state)
{
  set_limits(MESSAGE_MS, 0, 0);
  return start(state);
}

static int start_for_readers(void **state)
{
  set_limits(0, LONG_MS, 0);
  return start(state);
}

static int start_for_idlers(void **state)
{
  set_limits(0, 0, LONG_MS);
  return start(state);
}

static int start_for_one(void **state)
{
  set_limits(0, 0, 0);
  tested.limits.connections = 1;
  return start(state);
}

static int start_for_unsent(void **state)
{
  set_limits(0, 0, 0);
  tested.limits.unsent_bytes = UNSENT_TOTAL_BYTES;
  tested.limits.unsent_total_bytes = UNSENT_TOTAL_BYTES;
  return start(state);
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  return sem_destroy(&tested.looked);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(each_message_has_its_own_time, start_for_messages, stop),
      DAEMON_TEST(time_while_nothing_is_read, start_for_messages, stop),
      DAEMON_TEST(a_peer_that_reads_nothing_goes, start_for_readers, stop),
      DAEMON_TEST(a_peer_that_reads_slowly_stays, start_for_readers, stop),
      DAEMON_TEST(a_peer_that_does_nothing_goes, start_for_idlers, stop),
      DAEMON_TEST(one_too_many_is_told, start_for_one, stop),
      DAEMON_TEST(the_one_with_the_most_unread_goes, start_for_unsent, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
