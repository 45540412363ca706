/* Requests that wait for a solve, which takes as long as the test likes. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/disposal.h"
#include "daemon/solves.h"
#include "solver/solve.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"

enum { WAITING = 2000, WAIT_MS = 1, LEAVE_AT_ONCE = 200 };

static struct {
  struct daemon_thread daemon;
  struct daemon_limits limits;
  sem_t may_end;         /* posted for each solve */
  atomic_uint left;      /* waits that ended in this round of the loop */
  atomic_uint most_left; /* in any */
} tested;

/* Wrapped at link time. */
int __real_solve(const struct arena *arena, const struct solve_options *options,
                 struct table **table);
int __wrap_solve(const struct arena *arena, const struct solve_options *options,
                 struct table **table);
void __real_solves_leave(struct solves *solves, struct asker *asker, bool keep);
void __wrap_solves_leave(struct solves *solves, struct asker *asker, bool keep);
void __real_disposal_of_round(struct server *server);
void __wrap_disposal_of_round(struct server *server);

int __wrap_solve(const struct arena *arena, const struct solve_options *options,
                 struct table **table)
{
  sem_wait(&tested.may_end);
  return __real_solve(arena, options, table);
}

void __wrap_solves_leave(struct solves *solves, struct asker *asker, bool keep)
{
  atomic_fetch_add(&tested.left, 1);
  __real_solves_leave(solves, asker, keep);
}

/* The loop comes here once a round. */
void __wrap_disposal_of_round(struct server *server)
{
  unsigned left = atomic_exchange(&tested.left, 0);
  if (left > atomic_load(&tested.most_left))
    atomic_store(&tested.most_left, left);
  __real_disposal_of_round(server);
}

/* However many waits end at the same time, others are served in between. */
static void test_waits_end_in_slices(void **state)
{
  (void)state;
  struct buffer requests = {0}, answers = {0};
  for (int i = 0; i < WAITING; i++) {
    add_text(&requests, "{\"id\":%d,\"method\":\"solve\",\"params\":{\"wait_ms\":%d,", i, WAIT_MS);
    add_text(&requests, "\"puzzle\":[[1],[0,2],[1]]}}\n");
  }
  assert_true(
      daemon_thread_ask_all(&tested.daemon, &requests, ENCODING_JSON_LINES, WAITING, &answers));
  assert_int_equal(answer_count(&answers, "\"status\":\"solving\""), WAITING);
  assert_in_range(atomic_load(&tested.most_left), 1, LEAVE_AT_ONCE);
  sem_post(&tested.may_end);
  buffer_deinit(&requests);
  buffer_deinit(&answers);
}

static int start(void **state)
{
  sem_init(&tested.may_end, 0, 0);
  tested.limits = daemon_limits_default;
  tested.limits.waiting_requests = WAITING;
  tested.daemon.limits = &tested.limits;
  return daemon_thread_setup(state);
}

static int stop(void **state)
{
  daemon_thread_teardown(state);
  sem_destroy(&tested.may_end);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate_setup_teardown(test_waits_end_in_slices, start, stop,
                                               &tested.daemon),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
