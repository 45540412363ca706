/*
 * Requests that come while the store is still looking at its folder. The look is held up once it has seen all, so
 * that what is asked then comes before its end.
 */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/store/scan.h"
#include "tests/daemon/daemon_thread.h"

enum { ANSWER_MAX = 4096 };

static struct {
  struct daemon_thread daemon;
  sem_t may_end; /* each look passes it on to the next */
  int peer;
} tested;

/* Wrapped at link time. */
void __real_scan_run(struct job *job);
void __wrap_scan_run(struct job *job);

void __wrap_scan_run(struct job *job)
{
  __real_scan_run(job);
  sem_wait(&tested.may_end);
  sem_post(&tested.may_end);
}

static void let_looks_end(void)
{
  assert_int_equal(sem_post(&tested.may_end), 0);
}

static void ask(const char *requests)
{
  size_t length = strlen(requests);
  assert_int_equal(send(tested.peer, requests, length, MSG_NOSIGNAL), (ssize_t)length);
}

static void receive(char answer[static ANSWER_MAX])
{
  size_t at = 0;
  do {
    assert_true(at < ANSWER_MAX - 1);
    assert_int_equal(recv(tested.peer, &answer[at], 1, 0), 1);
  } while (answer[at++] != '\n');
  answer[at] = '\0';
}

static void assert_next_answer(const char *part)
{
  char answer[ANSWER_MAX];
  receive(answer);
  if (!strstr(answer, part))
    fail_msg("lacks %s: %s", part, answer);
}

/* A request that was given up is not answered once more when what it waited for has come. */
static void test_cancelled(void **state)
{
  (void)state;
  ask("{\"id\":1,\"method\":\"list\"}\n{\"method\":\"cancel\",\"params\":{\"id\":1}}\n");
  assert_next_answer("E_CANCELLED");
  let_looks_end();
  ask("{\"id\":2,\"method\":\"list\"}\n");
  assert_next_answer("\"id\":2");
  ask("{\"id\":3,\"method\":\"ping\"}\n");
  assert_next_answer("pong");
}

/* The first look of the one that goes has ended before that of the other is held up. */
static void restart(void)
{
  char answer[ANSWER_MAX];
  ask("{\"id\":0,\"method\":\"list\"}\n");
  receive(answer);
  close(tested.peer);
  sem_wait(&tested.may_end);
  daemon_thread_restart(&tested.daemon);
  tested.peer = daemon_thread_connect(&tested.daemon);
}

/* The table was read back from disk before the store knows what is there, and goes from there as well. */
static void test_evicted(void **state)
{
  (void)state;
  char answer[ANSWER_MAX];
  let_looks_end();
  tested.daemon.config.limits.store_read_rate = 0;
  restart();
  let_looks_end();
  ask("{\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":[[1],[0,2],[1]]}}\n");
  assert_next_answer("\"source\":\"solved\"");
  restart();
  ask("{\"id\":2,\"method\":\"solve\",\"params\":{\"puzzle\":[[1],[0,2],[1]]}}\n");
  assert_next_answer("\"source\":\"disk\"");
  ask("{\"id\":3,\"method\":\"evict\",\"params\":{\"id\":\"247bb7\"}}\n"
      "{\"id\":4,\"method\":\"ping\"}\n");
  receive(answer);
  let_looks_end();
  receive(answer);
  ask("{\"id\":5,\"method\":\"list\"}\n");
  assert_next_answer("\"total\":0");
}

static int start(void **state)
{
  sem_init(&tested.may_end, 0, 0);
  daemon_thread_setup_with_store(state);
  tested.peer = daemon_thread_connect(&tested.daemon);
  return 0;
}

static int stop(void **state)
{
  let_looks_end(); /* of a test that failed before */
  close(tested.peer);
  daemon_thread_teardown(state);
  sem_destroy(&tested.may_end);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate_setup_teardown(test_cancelled, start, stop, &tested.daemon),
      cmocka_unit_test_prestate_setup_teardown(test_evicted, start, stop, &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
