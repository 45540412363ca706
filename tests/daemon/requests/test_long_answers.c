/* Long answers are written by one thread for all peers: they take turns, and what nobody waits for is left out. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/requests/answers.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"
#include "tests/support/wrap.h"

/* Lines on a path of so many nodes are long. */
enum { PATH = 300, ANSWERS = 10 };

#define LINE(id)                                                              \
  "{\"id\":" #id ",\"method\":\"line\",\"params\":{\"state\":{\"mouse\":299," \
  "\"cat\":1,\"turn\":0}}}\n"
#define CANCEL(id) "{\"id\":99,\"method\":\"cancel\",\"params\":{\"id\":" #id "}}\n"

static struct {
  struct daemon_thread daemon;
  sem_t begun, let_go;
  atomic_bool is_held;
  atomic_uint written; /* long answers */
} tested;

WRAPPED(int, answer_write, const struct answer_place *place, const struct request *request,
        const struct solved *solved);

int __wrap_answer_write(const struct answer_place *place, const struct request *request,
                        const struct solved *solved)
{
  if (atomic_load(&tested.is_held)) {
    sem_post(&tested.begun);
    sem_wait(&tested.let_go);
  }
  atomic_fetch_add(&tested.written, 1);
  return __real_answer_write(place, request, solved);
}

static int connect_to_path(void)
{
  int fd = daemon_thread_connect(&tested.daemon);
  solve_on(fd, PATH, add_path, "solve_us");
  return fd;
}

static void let_go(int count)
{
  while (count-- > 0)
    sem_post(&tested.let_go);
}

static void test_a_peer_waits_for_one_answer_of_another_at_most(void **state)
{
  (void)state;
  int many = connect_to_path(), one = connect_to_path();
  atomic_store(&tested.is_held, true);
  for (int i = 0; i < ANSWERS; i++)
    send_text(many, LINE(1));
  sem_wait(&tested.begun);
  expect_pong(many);
  send_text(one, LINE(2));
  expect_pong(one);
  let_go(2);
  expect_line(one, "\"id\":2,");
  assert_true(atomic_load(&tested.written) <= 2);
  let_go(ANSWERS - 1);
  for (int i = 0; i < ANSWERS; i++)
    expect_line(many, "\"id\":1,");
  close(many);
  close(one);
}

static void test_what_was_cancelled_is_not_written(void **state)
{
  (void)state;
  int many = connect_to_path(), one = connect_to_path();
  atomic_store(&tested.is_held, true);
  for (int i = 0; i < ANSWERS; i++) {
    send_text(many, LINE(1));
    if (i == 0)
      sem_wait(&tested.begun);
    send_text(many, CANCEL(1));
    expect_line(many, "E_CANCELLED");
    expect_line(many, "{\"cancelled\":true}");
  }
  send_text(one, LINE(2));
  expect_pong(one);
  let_go(2);
  expect_line(one, "\"id\":2,");
  assert_int_equal(atomic_load(&tested.written), 2);
  expect_pong(many);
  close(many);
  close(one);
}

static int start(void **state)
{
  sem_init(&tested.begun, 0, 0);
  sem_init(&tested.let_go, 0, 0);
  atomic_store(&tested.is_held, false);
  atomic_store(&tested.written, 0);
  return daemon_thread_setup(state);
}

static int stop(void **state)
{
  let_go(2 * ANSWERS);
  daemon_thread_teardown(state);
  sem_destroy(&tested.begun);
  return sem_destroy(&tested.let_go);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(a_peer_waits_for_one_answer_of_another_at_most, start, stop),
      DAEMON_TEST(what_was_cancelled_is_not_written, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
