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

static void assert_next_answer(const char *part)
{
  char answer[ANSWER_MAX] = "";
  for (size_t at = 0; at == 0 || answer[at - 1] != '\n'; at++) {
    assert_true(at < sizeof answer - 1);
    assert_int_equal(recv(tested.peer, &answer[at], 1, 0), 1);
  }
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

static int start(void **state)
{
  sem_init(&tested.may_end, 0, 0);
  daemon_thread_setup_with_store(state);
  tested.peer = daemon_thread_connect(&tested.daemon);
  return 0;
}

static int stop(void **state)
{
  close(tested.peer);
  daemon_thread_teardown(state);
  sem_destroy(&tested.may_end);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate_setup_teardown(test_cancelled, start, stop, &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
