/* What was dropped takes memory until it is really given back: a solve that needs that waits for it. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#include "daemon/incoming.h"
#include "daemon/solve_job.h"
#include "solver/solve.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"

enum { NODES = 600 };

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_bool is_held; /* giving a table back takes until `let_go` is posted */
  atomic_uint started; /* solves, meanwhile */
  sem_t begun, let_go;
} tested;

/* Wrapped at link time. */
void __real_table_free(struct table *table);
void __wrap_table_free(struct table *table);
void __real_solve_job_prepare(struct solve_job *solve, unsigned threads);
void __wrap_solve_job_prepare(struct solve_job *solve, unsigned threads);

void __wrap_table_free(struct table *table)
{
  if (table && table->nodes == NODES && atomic_load(&tested.is_held)) {
    sem_post(&tested.begun);
    sem_wait(&tested.let_go);
  }
  __real_table_free(table);
}

void __wrap_solve_job_prepare(struct solve_job *solve, unsigned threads)
{
  if (atomic_load(&tested.is_held))
    atomic_fetch_add(&tested.started, 1);
  __real_solve_job_prepare(solve, threads);
}

static uint64_t need_bytes(int nodes)
{
  struct buffer text = solve_text(nodes, add_star, "");
  struct incoming incoming;
  struct fault fault;
  assert_int_equal(incoming_read(&incoming, text.data, text.length - 1, ENCODING_JSON_LINES,
                                 &message_limits_default, &fault),
                   0);
  uint64_t bytes = solve_bytes(incoming.arena) + incoming.arena->bytes;
  incoming_deinit(&incoming);
  buffer_deinit(&text);
  return bytes;
}

static void ask_to_solve(int nodes, const char *parameters, const char *expected)
{
  struct buffer text = solve_text(nodes, add_star, parameters);
  daemon_thread_expect(&tested.daemon, text.data, expected);
  buffer_deinit(&text);
}

static void test_a_solve_waits_for_memory_to_be_given_back(void **state)
{
  (void)state;
  ask_to_solve(NODES, "", "solve_us");
  atomic_store(&tested.is_held, true);
  ask_to_solve(NODES + 1, ",\"wait_ms\":0", "solving");
  sem_wait(&tested.begun);
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"ping\"}\n", "pong");
  atomic_store(&tested.is_held, false);
  sem_post(&tested.let_go);
  assert_int_equal(atomic_load(&tested.started), 0);
  ask_to_solve(NODES + 1, "", "solve_us");
}

static int start(void **state)
{
  sem_init(&tested.begun, 0, 0);
  sem_init(&tested.let_go, 0, 0);
  tested.limits = daemon_limits_default;
  tested.limits.memory_bytes = need_bytes(NODES + 1);
  tested.daemon.limits = &tested.limits;
  return daemon_thread_setup(state);
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  sem_destroy(&tested.begun);
  sem_destroy(&tested.let_go);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate_setup_teardown(test_a_solve_waits_for_memory_to_be_given_back,
                                               start, stop, &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
