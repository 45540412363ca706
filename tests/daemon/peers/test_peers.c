/*
 * What bounds peers, by a clock that is set here: the time for one message, to read answers and to do nothing; how
 * much they may all leave unread. Without peers the daemon does nothing at all, keeps no
 * memory for long, and leaves after a while, whatever became of those who tried.
 */
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/peers/connection.h"
#include "daemon/solves/memory.h"
#include "solver/solve.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"
#include "tests/support/wrap.h"

/* Looks come four times within the shortest limit, KEEP_MS, of the real clock. */
enum {
  KEEP_MS = 80,
  MESSAGE_MS = 1000,
  MOST_OF_IT_MS = 900,
  LONG_MS = 100000,
  IDLE_EXIT_MS = 1000003,
  LARGE = 2 * READ_BYTES,
  LOOKS = 10
};

/* Of so many nodes around one, that many answers are more than the daemon's socket takes. */
enum { STAR = 1500, LARGE_STAR = 4000, ANSWERS = 12, UNSENT_TOTAL_BYTES = 2 << 20 };
#define ASK \
  "{\"id\":2,\"method\":\"query\",\"params\":{\"state\":{\"mouse\":1,\"cat\":2,\"turn\":0}}}\n"

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_uint_fast64_t now_ms;
  sem_t looked;           /* posted after each look at all connections */
  atomic_bool is_partial; /* some of a message had come by then */
  atomic_bool is_held;    /* and no more was read */
  atomic_bool is_writing; /* some of an answer was unread */
  atomic_uint rounds;     /* of the loop, since the last look */
  atomic_uint extra;      /* rounds between two looks that were not the looks' own */
  atomic_uint timers;     /* that wake the loop again and again */
  sem_t leaving;          /* posted when the time after which it leaves begins */
  atomic_bool fails_to_open;
  atomic_bool has_failed; /* a connection could not be made */
} tested;

uint64_t __wrap_uv_now(const uv_loop_t *loop);
WRAPPED(int, connection_open, struct peers *peers, int fd, bool refused);
WRAPPED(int, uv_pipe_open, uv_pipe_t *pipe, uv_file fd);
WRAPPED(int, uv_timer_start, uv_timer_t *timer, uv_timer_cb callback, uint64_t timeout_ms,
        uint64_t repeat_ms);
WRAPPED(int, uv_timer_stop, uv_timer_t *timer);
WRAPPED(void, connection_look, struct connection *connection);
WRAPPED(bool, memory_tend, struct memory *memory);
WRAPPED(bool, memory_trim, struct memory *memory, uint64_t now_ms);

uint64_t __wrap_uv_now(const uv_loop_t *loop)
{
  (void)loop;
  return atomic_load(&tested.now_ms);
}

int __wrap_connection_open(struct peers *peers, int fd, bool refused)
{
  int result = __real_connection_open(peers, fd, refused);
  if (result < 0)
    atomic_store(&tested.has_failed, true);
  return result;
}

int __wrap_uv_pipe_open(uv_pipe_t *pipe, uv_file fd)
{
  return atomic_exchange(&tested.fails_to_open, false) ? UV_EMFILE : __real_uv_pipe_open(pipe, fd);
}

int __wrap_uv_timer_start(uv_timer_t *timer, uv_timer_cb callback, uint64_t timeout_ms,
                          uint64_t repeat_ms)
{
  if (repeat_ms > 0 && !uv_is_active((const uv_handle_t *)timer))
    atomic_fetch_add(&tested.timers, 1);
  if (timeout_ms == IDLE_EXIT_MS)
    sem_post(&tested.leaving);
  return __real_uv_timer_start(timer, callback, timeout_ms, repeat_ms);
}

int __wrap_uv_timer_stop(uv_timer_t *timer)
{
  if (uv_timer_get_repeat(timer) > 0 && uv_is_active((const uv_handle_t *)timer))
    atomic_fetch_sub(&tested.timers, 1);
  return __real_uv_timer_stop(timer);
}

void __wrap_connection_look(struct connection *connection)
{
  if (connection->in.length > 0)
    atomic_store(&tested.is_partial, true);
  atomic_store(&tested.is_held, connection->in.length > 0 && !connection->reading);
  atomic_store(&tested.is_writing, connection->writing);
  __real_connection_look(connection);
}

/* The loop comes here once a round... */
bool __wrap_memory_tend(struct memory *memory)
{
  atomic_fetch_add(&tested.rounds, 1);
  return __real_memory_tend(memory);
}

/* ...and here at the end of each look. */
bool __wrap_memory_trim(struct memory *memory, uint64_t now_ms)
{
  bool left = __real_memory_trim(memory, now_ms);
  unsigned rounds = atomic_exchange(&tested.rounds, 0);
  atomic_fetch_add(&tested.extra, rounds > 1 ? rounds - 1 : 0);
  sem_post(&tested.looked);
  return left;
}

/* From now on: the first may have begun before. */
static void wait_for_looks(int count)
{
  while (sem_trywait(&tested.looked) == 0)
    continue;
  for (int i = 0; i < count + 1; i++)
    sem_wait(&tested.looked);
}

static void pass(uint64_t time_ms)
{
  atomic_fetch_add(&tested.now_ms, time_ms);
}

/* Reads a line; how long it is. */
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

static void ask(int fd, int times)
{
  while (times-- > 0)
    send_text(fd, ASK);
}

static void skip_answers(int fd, int count)
{
  while (count-- > 0)
    skip_line(fd);
}

/* A peer that has so many answers to read, which its socket does not take. */
static int connect_and_ask(int answers)
{
  int fd = daemon_thread_connect(&tested.daemon);
  solve_on(fd, STAR, add_star, "solve_us");
  ask(fd, answers);
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
  assert_int_equal(poll(&peer, 1, 1000 * WAIT_S), 1);
  assert_true(peer.revents & POLLHUP);
  close(fd);
}

CASE(each_message_has_its_own_time)
{
  char spaces[LARGE + 1];
  tested.limits.message_ms = MESSAGE_MS;
  daemon_thread_setup(state);
  memset(spaces, ' ', LARGE);
  spaces[LARGE] = '\0';
  int fd = daemon_thread_connect(&tested.daemon);
  send_text(fd, "{\"id\":1,\"method\":\"ping\"");
  send_text(fd, spaces);
  while (!atomic_load(&tested.is_partial))
    wait_for_looks(1);
  pass(MOST_OF_IT_MS);
  send_text(fd, "}\n{\"id\":2,\"method\":\"ping\"");
  expect_line(fd, "\"id\":1,\"result\":\"pong\"");
  pass(MOST_OF_IT_MS);
  wait_for_looks(1);
  send_text(fd, "}\n");
  expect_line(fd, "\"id\":2,\"result\":\"pong\"");
  close(fd);
}

/* The daemon reads no more while an answer is left unread, and what it has of a message by then is in no hurry. */
CASE(time_while_nothing_is_read)
{
  tested.limits.message_ms = MESSAGE_MS;
  daemon_thread_setup(state);
  int fd = connect_and_ask(ANSWERS);
  send_text(fd, "{\"id\":3,\"method\":\"ping\"");
  while (!atomic_load(&tested.is_held))
    wait_for_looks(1);
  pass(MESSAGE_MS);
  skip_answers(fd, ANSWERS);
  while (atomic_load(&tested.is_held))
    wait_for_looks(1);
  send_text(fd, "}\n");
  expect_line(fd, "\"id\":3,\"result\":\"pong\"");
  close(fd);
}

/* A socket takes more only when it is nearly empty, so that is what counts. */
CASE(who_reads_slowly_stays_and_who_reads_nothing_goes)
{
  enum { PARTS = 4 };
  tested.limits.unread_ms = LONG_MS;
  daemon_thread_setup(state);
  int fd = connect_and_ask((PARTS + 1) * ANSWERS);
  for (int part = 0; part < PARTS; part++) {
    wait_until_writing();
    pass(LONG_MS - 1);
    skip_answers(fd, ANSWERS);
  }
  skip_answers(fd, ANSWERS);
  expect_pong(fd);
  ask(fd, ANSWERS);
  wait_until_writing();
  pass(LONG_MS);
  wait_until_closed(fd);
}

CASE(who_does_nothing_goes)
{
  tested.limits.idle_ms = LONG_MS;
  daemon_thread_setup(state);
  int fd = daemon_thread_connect(&tested.daemon);
  for (int i = 0; i < 3; i++) {
    expect_pong(fd);
    wait_for_looks(1);
    pass(LONG_MS - 1);
    wait_for_looks(1);
  }
  pass(1);
  assert_int_equal(read_to_end(fd), 0);
  close(fd);
}

/* Each of the two leaves less unread than all may. */
CASE(the_one_with_the_most_unread_goes)
{
  tested.limits.unsent_bytes = tested.limits.unsent_total_bytes = UNSENT_TOTAL_BYTES;
  daemon_thread_setup(state);
  int most = connect_and_ask(1);
  const int all = UNSENT_TOTAL_BYTES / (int)skip_line(most);
  ask(most, all / 5 * 4);
  wait_until_writing();
  int less = connect_and_ask(all / 2);
  wait_until_closed(most);
  skip_answers(less, all / 2);
  expect_pong(less);
  close(less);
}

/* As long as it counts a peer that is not there, it does not leave. */
static void assert_leaves_after_a_peer(void)
{
  while (sem_trywait(&tested.leaving) == 0)
    continue;
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"ping\"}\n", "pong");
  sem_wait(&tested.leaving);
}

/* Its descriptor is closed before it is known that it could not be made. */
static void be_turned_away(void)
{
  atomic_store(&tested.has_failed, false);
  int fd = daemon_thread_connect(&tested.daemon);
  assert_int_equal(read_to_end(fd), 0);
  close(fd);
  while (!atomic_load(&tested.has_failed))
    sched_yield();
}

/* After one that was silent, one for which there is no memory, and one that cannot be read. */
CASE(it_leaves_whoever_came)
{
  tested.daemon.idle_exit_ms = IDLE_EXIT_MS;
  daemon_thread_setup(state);
  sem_wait(&tested.leaving); /* once before there was a peer */
  close(daemon_thread_connect(&tested.daemon));
  sem_wait(&tested.leaving);
  daemon_thread_fail(&tested.daemon, 0, false);
  be_turned_away();
  assert_true(daemon_thread_recover(&tested.daemon));
  assert_leaves_after_a_peer();
  atomic_store(&tested.fails_to_open, true);
  be_turned_away();
  sem_wait(&tested.leaving); /* it was the last that was connected */
  assert_leaves_after_a_peer();
}

/* Each time it looks after its peers it wakes, and at no other time. */
CASE(it_wakes_for_looks_alone)
{
  daemon_thread_setup(state);
  int fd = daemon_thread_connect(&tested.daemon);
  expect_pong(fd);
  wait_for_looks(1); /* it began when all that was asked had been answered */
  unsigned extra = atomic_load(&tested.extra);
  wait_for_looks(LOOKS);
  assert_int_equal(atomic_load(&tested.extra), extra);
  close(fd);
}

static void solve_and_expect_status(int fd, uint64_t *kept_bytes)
{
  char said[64];
  solve_on(fd, LARGE_STAR, add_star, "solve_us");
  *kept_bytes = solve_kept_bytes();
  snprintf(said, sizeof said, "\"kept_bytes\":%llu,", (unsigned long long)*kept_bytes);
  ask_line(fd, "{\"id\":1,\"method\":\"status\"}\n", said);
}

/* The memory of a solve is there for the next, and gone when none came in time; then nothing wakes the loop. */
CASE(it_keeps_memory_for_a_while_and_sleeps)
{
  uint64_t kept_bytes;
  daemon_thread_setup(state);
  int fd = daemon_thread_connect(&tested.daemon);
  solve_and_expect_status(fd, &kept_bytes);
  assert_true(kept_bytes > 0);
  wait_for_looks(2);
  assert_int_equal(solve_kept_bytes(), kept_bytes);
  close(fd);
  while (solve_kept_bytes() > 0 || atomic_load(&tested.timers) > 0) {
    pass(KEEP_MS);
    sched_yield();
  }
}

CASE(it_keeps_no_memory_where_that_is_not_wanted)
{
  uint64_t kept_bytes;
  tested.limits.keep_ms = 0;
  daemon_thread_setup(state);
  int fd = daemon_thread_connect(&tested.daemon);
  solve_and_expect_status(fd, &kept_bytes);
  assert_int_equal(kept_bytes, 0);
  close(fd);
}

/* Each test sets its own limits, and starts the daemon. */
static int prepare(void **state)
{
  (void)state;
  sem_init(&tested.looked, 0, 0);
  sem_init(&tested.leaving, 0, 0);
  atomic_store(&tested.now_ms, 0);
  atomic_store(&tested.timers, 0);
  atomic_store(&tested.is_partial, false);
  atomic_store(&tested.is_writing, false);
  tested.limits = daemon_limits_default;
  tested.limits.keep_ms = KEEP_MS;
  tested.limits.message_ms = tested.limits.unread_ms = 0;
  tested.limits.unsent_bytes = 1;
  tested.daemon.limits = &tested.limits;
  tested.daemon.idle_exit_ms = 0;
  return 0;
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  solve_drop_memory();
  sem_destroy(&tested.leaving);
  return sem_destroy(&tested.looked);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(each_message_has_its_own_time, prepare, stop),
      DAEMON_TEST(time_while_nothing_is_read, prepare, stop),
      DAEMON_TEST(who_reads_slowly_stays_and_who_reads_nothing_goes, prepare, stop),
      DAEMON_TEST(who_does_nothing_goes, prepare, stop),
      DAEMON_TEST(the_one_with_the_most_unread_goes, prepare, stop),
      DAEMON_TEST(it_leaves_whoever_came, prepare, stop),
      DAEMON_TEST(it_wakes_for_looks_alone, prepare, stop),
      DAEMON_TEST(it_keeps_memory_for_a_while_and_sleeps, prepare, stop),
      DAEMON_TEST(it_keeps_no_memory_where_that_is_not_wanted, prepare, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
