/*
 * What was dropped takes memory until it is really given back: a solve that needs that waits for it, and still has
 * its time and no more.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#include <cmocka.h>

#include "daemon/incoming.h"
#include "daemon/server.h"
#include "daemon/solve_job.h"
#include "solver/solve.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"

enum { NODES = 600, UNREAD_MS = 20, SOLVE_MS = 1000 };

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  atomic_bool is_held; /* giving a table back takes until `let_go` is posted */
  atomic_uint started; /* solves, meanwhile */
  sem_t begun, let_go;
  atomic_bool is_endless; /* the solve of one node more ends when it is stopped */
  sem_t looked, stopped;
} tested;

/* Wrapped at link time. */
void __real_table_free(struct table *table);
void __wrap_table_free(struct table *table);
void __real_solve_job_prepare(struct solve_job *solve, unsigned threads);
void __wrap_solve_job_prepare(struct solve_job *solve, unsigned threads);
int __real_solve(const struct arena *arena, const struct solve_options *options,
                 struct table **table);
int __wrap_solve(const struct arena *arena, const struct solve_options *options,
                 struct table **table);
void __real_solves_stop_overdue(struct solves *solves);
void __wrap_solves_stop_overdue(struct solves *solves);

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

int __wrap_solve(const struct arena *arena, const struct solve_options *options,
                 struct table **table)
{
  if (!atomic_load(&tested.is_endless) || arena->nodes != NODES + 1)
    return __real_solve(arena, options, table);
  while (!atomic_load(options->stop))
    sched_yield();
  sem_post(&tested.stopped);
  return -ECANCELED;
}

/* Counts looks at a solve that waits while nothing else keeps the daemon awake. */
void __wrap_solves_stop_overdue(struct solves *solves)
{
  const struct server *server = container_of(solves, struct server, solves);
  __real_solves_stop_overdue(solves);
  if (server->connection_count == 0 && solves->started == 0 && solves->waiting_count > 0)
    sem_post(&tested.looked);
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

/* Nobody waits for it, and it waits for the memory of another. */
static void have_a_solve_wait(void)
{
  ask_to_solve(NODES, "", "solve_us");
  atomic_store(&tested.is_held, true);
  ask_to_solve(NODES + 1, ",\"wait_ms\":0", "solving");
  sem_wait(&tested.begun);
}

static void let_go(void)
{
  atomic_store(&tested.is_held, false);
  sem_post(&tested.let_go);
}

static void test_a_solve_waits_for_memory_to_be_given_back(void **state)
{
  (void)state;
  have_a_solve_wait();
  daemon_thread_expect(&tested.daemon, "{\"id\":1,\"method\":\"ping\"}\n", "pong");
  let_go();
  assert_int_equal(atomic_load(&tested.started), 0);
  ask_to_solve(NODES + 1, "", "solve_us");
}

/* The first of the looks may be the last that there is. */
static void test_a_solve_that_waited_runs_out_of_time(void **state)
{
  (void)state;
  atomic_store(&tested.is_endless, true);
  have_a_solve_wait();
  for (int look = 0; look < 2; look++)
    sem_wait(&tested.looked);
  let_go();
  sem_wait(&tested.stopped);
  atomic_store(&tested.is_endless, false);
}

static sem_t *const semaphores[] = {&tested.begun, &tested.let_go, &tested.looked, &tested.stopped};

static int start(void **state)
{
  for (size_t i = 0; i < sizeof semaphores / sizeof *semaphores; i++)
    sem_init(semaphores[i], 0, 0);
  tested.limits = daemon_limits_default;
  tested.limits.memory_bytes = need_bytes(NODES + 1);
  tested.limits.unread_ms = UNREAD_MS; /* looks come four times as often */
  tested.limits.solve_ms = SOLVE_MS;
  tested.daemon.limits = &tested.limits;
  return daemon_thread_setup(state);
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  for (size_t i = 0; i < sizeof semaphores / sizeof *semaphores; i++)
    sem_destroy(semaphores[i]);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate_setup_teardown(test_a_solve_waits_for_memory_to_be_given_back,
                                               start, stop, &tested.daemon),
      cmocka_unit_test_prestate_setup_teardown(test_a_solve_that_waited_runs_out_of_time, start,
                                               stop, &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
