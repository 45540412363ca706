/* A daemon that nobody is connected to leaves after a while, whatever became of those who tried. */
#include <errno.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/connection.h"
#include "daemon/disposal.h"
#include "tests/daemon/daemon_thread.h"

enum { LONG_MS = 1000000 };

static struct {
  struct daemon_thread daemon;
  _Atomic(struct server *) server;
  atomic_bool fails_to_open;
  atomic_uint failed;     /* connections that could not be made */
  atomic_bool is_leaving; /* once that long has passed, and nobody is there */
  sem_t round;            /* posted for each round of the loop */
} tested;

/* Wrapped at link time. */
int __real_connection_open(struct server *server, int fd, bool refused);
int __wrap_connection_open(struct server *server, int fd, bool refused);
int __real_uv_pipe_open(uv_pipe_t *pipe, uv_file fd);
int __wrap_uv_pipe_open(uv_pipe_t *pipe, uv_file fd);
void __real_disposal_of_round(struct server *server);
void __wrap_disposal_of_round(struct server *server);

int __wrap_connection_open(struct server *server, int fd, bool refused)
{
  int result = __real_connection_open(server, fd, refused);
  if (result < 0)
    atomic_fetch_add(&tested.failed, 1);
  return result;
}

int __wrap_uv_pipe_open(uv_pipe_t *pipe, uv_file fd)
{
  return atomic_exchange(&tested.fails_to_open, false) ? UV_EMFILE : __real_uv_pipe_open(pipe, fd);
}

void __wrap_disposal_of_round(struct server *server)
{
  __real_disposal_of_round(server);
  atomic_store(&tested.server, server);
  atomic_store(&tested.is_leaving,
               server->connection_count == 0 && uv_is_active((const uv_handle_t *)&server->idle));
  sem_post(&tested.round);
}

/* A round that began after now is over. */
static void wait_for_round(void)
{
  for (int round = 0; round < 2; round++) {
    while (sem_trywait(&tested.round) == 0)
      continue;
    server_wake(atomic_load(&tested.server));
    sem_wait(&tested.round);
  }
}

static void wait_until_leaving(void)
{
  while (!atomic_load(&tested.is_leaving))
    wait_for_round();
}

static void be_turned_away(void)
{
  char byte;
  int fd = daemon_thread_connect(&tested.daemon);
  ssize_t got = recv(fd, &byte, 1, 0);
  assert_true(got == 0 || (got < 0 && errno == ECONNRESET));
  close(fd);
}

static void assert_leaves_nonetheless(void)
{
  wait_for_round();
  assert_int_equal(atomic_load(&tested.failed), 1);
  assert_true(atomic_load(&tested.is_leaving));
}

static void test_leaves_after_a_peer(void **state)
{
  (void)state;
  int fd = daemon_thread_connect(&tested.daemon);
  while (atomic_load(&tested.is_leaving))
    wait_for_round();
  close(fd);
  wait_until_leaving();
}

static void test_leaves_after_one_without_memory(void **state)
{
  (void)state;
  daemon_thread_fail(&tested.daemon, 0, false);
  be_turned_away();
  assert_true(daemon_thread_recover(&tested.daemon));
  assert_leaves_nonetheless();
}

static void test_leaves_after_one_that_cannot_be_read(void **state)
{
  (void)state;
  atomic_store(&tested.fails_to_open, true);
  be_turned_away();
  assert_leaves_nonetheless();
}

static int start(void **state)
{
  sem_init(&tested.round, 0, 0);
  atomic_store(&tested.failed, 0);
  daemon_thread_setup(state);
  tested.daemon.config.idle_exit_ms = LONG_MS;
  daemon_thread_restart(&tested.daemon);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"ping\"}\n", "pong");
  wait_until_leaving();
  return 0;
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  sem_destroy(&tested.round);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate_setup_teardown(test_leaves_after_a_peer, start, stop,
                                               &tested.daemon),
      cmocka_unit_test_prestate_setup_teardown(test_leaves_after_one_without_memory, start, stop,
                                               &tested.daemon),
      cmocka_unit_test_prestate_setup_teardown(test_leaves_after_one_that_cannot_be_read, start,
                                               stop, &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
