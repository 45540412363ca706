/*
 * What a daemon does while it has nothing to do: nothing at all where nobody is connected, and looks after its
 * peers where some are. After a while without peers it leaves, whatever became of those who tried.
 */
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/peers/connection.h"
#include "daemon/solves/memory.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/support/wrap.h"

enum { IDLE_EXIT_MS = 1000003, UNREAD_MS = 40, LOOKS = 20 };

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_bool fails_to_open;
  atomic_uint failed; /* connections that could not be made */
  sem_t leaving;      /* posted when the time after which it leaves begins */
  atomic_uint rounds; /* of the loop, since it looked at a connection last */
  atomic_uint looks;  /* at a connection */
  atomic_uint extra;  /* rounds between two looks that were not the looks' own */
  atomic_uint timers; /* that wake the loop again and again */
} tested;

WRAPPED(int, connection_open, struct peers *peers, int fd, bool refused);
WRAPPED(int, uv_pipe_open, uv_pipe_t *pipe, uv_file fd);
WRAPPED(int, uv_timer_start, uv_timer_t *timer, uv_timer_cb callback, uint64_t timeout_ms,
        uint64_t repeat_ms);
WRAPPED(int, uv_timer_stop, uv_timer_t *timer);
WRAPPED(void, connection_look, struct connection *connection);
WRAPPED(bool, memory_tend, struct memory *memory);

int __wrap_connection_open(struct peers *peers, int fd, bool refused)
{
  int result = __real_connection_open(peers, fd, refused);
  if (result < 0)
    atomic_fetch_add(&tested.failed, 1);
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
  unsigned rounds = atomic_exchange(&tested.rounds, 0);
  atomic_fetch_add(&tested.extra, rounds > 1 ? rounds - 1 : 0);
  atomic_fetch_add(&tested.looks, 1);
  __real_connection_look(connection);
}

/* The loop comes here once a round. */
bool __wrap_memory_tend(struct memory *memory)
{
  atomic_fetch_add(&tested.rounds, 1);
  return __real_memory_tend(memory);
}

static void be_turned_away(void)
{
  int fd = daemon_thread_connect(&tested.daemon);
  assert_int_equal(read_to_end(fd), 0);
  close(fd);
  while (atomic_load(&tested.failed) == 0) /* its descriptor is closed before that is known */
    sched_yield();
}

/* As long as it counts a peer that is not there, it does not leave. */
static void assert_leaves_after_a_peer(void)
{
  while (sem_trywait(&tested.leaving) == 0)
    continue;
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"ping\"}\n", "pong");
  sem_wait(&tested.leaving);
}

static void test_leaves_after_one_without_memory(void **state)
{
  (void)state;
  daemon_thread_fail(&tested.daemon, 0, false);
  be_turned_away();
  assert_true(daemon_thread_recover(&tested.daemon));
  assert_leaves_after_a_peer();
}

static void test_leaves_after_one_that_cannot_be_read(void **state)
{
  (void)state;
  atomic_store(&tested.fails_to_open, true);
  be_turned_away();
  sem_wait(&tested.leaving); /* it was the last that was connected */
  assert_leaves_after_a_peer();
}

/* Its handles were counted once, and its peer had said nothing. */
static void test_leaves_after_a_silent_peer(void **state)
{
  (void)state;
  close(daemon_thread_connect(&tested.daemon));
  sem_wait(&tested.leaving);
}

static void test_sleeps_for_ever_without_peers(void **state)
{
  (void)state;
  int fd = daemon_thread_connect(&tested.daemon);
  send_text(fd, "{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":[[1],[0,2],[1]]}}\n");
  expect_line(fd, "solve_us");
  assert_true(atomic_load(&tested.timers) > 0);
  close(fd);
  while (atomic_load(&tested.timers) > 0)
    sched_yield();
}

static void wait_for_looks(unsigned count)
{
  unsigned before = atomic_load(&tested.looks);
  while (atomic_load(&tested.looks) - before < count)
    sched_yield();
}

/* Each time it looks after its peers it wakes, and at no other time. */
static void test_wakes_for_looks_alone(void **state)
{
  (void)state;
  int fd = daemon_thread_connect(&tested.daemon);
  send_text(fd, "{\"id\":1,\"method\":\"ping\"}\n");
  expect_line(fd, "pong");
  wait_for_looks(2); /* the second began when all that was asked had been answered */
  unsigned extra = atomic_load(&tested.extra);
  wait_for_looks(LOOKS);
  assert_int_equal(atomic_load(&tested.extra), extra);
  close(fd);
}

static int start(void **state, uint64_t idle_exit_ms)
{
  sem_init(&tested.leaving, 0, 0);
  atomic_store(&tested.failed, 0);
  atomic_store(&tested.looks, 0);
  atomic_store(&tested.timers, 0);
  tested.limits = daemon_limits_default;
  tested.limits.unread_ms = UNREAD_MS; /* looks come four times as often */
  tested.daemon.limits = &tested.limits;
  tested.daemon.idle_exit_ms = idle_exit_ms;
  return daemon_thread_setup(state);
}

static int start_leaving(void **state)
{
  int result = start(state, IDLE_EXIT_MS);
  sem_wait(&tested.leaving); /* once before there was a peer */
  return result;
}

static int start_staying(void **state)
{
  return start(state, 0);
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  return sem_destroy(&tested.leaving);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(leaves_after_a_silent_peer, start_leaving, stop),
      DAEMON_TEST(leaves_after_one_without_memory, start_leaving, stop),
      DAEMON_TEST(leaves_after_one_that_cannot_be_read, start_leaving, stop),
      DAEMON_TEST(sleeps_for_ever_without_peers, start_staying, stop),
      DAEMON_TEST(wakes_for_looks_alone, start_staying, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
