#include "tests/daemon/held_solve.h"
#include "tests/support/wrap.h"

#include <errno.h>
#include <sched.h>

#include "solver/solve.h"

struct held_solves held_solves;

WRAPPED(int, solve, const struct arena *arena, const struct solve_options *options,
        struct table **table);

int __wrap_solve(const struct arena *arena, const struct solve_options *options,
                 struct table **table)
{
  uint64_t need_bytes = atomic_load(&held_solves.outgrow_bytes);
  if (need_bytes > 0)
    held_solves.allowed_bytes[atomic_fetch_add(&held_solves.outgrown, 1) % 32] = options->max_bytes;
  if (options->max_bytes < need_bytes)
    return -EFBIG;
  if (arena->nodes < HELD_NODES)
    return __real_solve(arena, options, table);
  sem_post(&held_solves.begun);
  do {
    sched_yield();
    if (atomic_load(options->stop)) {
      sem_post(&held_solves.stopped);
      return -ECANCELED;
    }
  } while (sem_trywait(&held_solves.let_go) != 0);
  return __real_solve(arena, options, table);
}

void held_solves_init(void)
{
  atomic_store(&held_solves.outgrow_bytes, 0);
  atomic_store(&held_solves.outgrown, 0);
  sem_init(&held_solves.begun, 0, 0);
  sem_init(&held_solves.stopped, 0, 0);
  sem_init(&held_solves.let_go, 0, 0);
}

void held_solves_deinit(void)
{
  sem_destroy(&held_solves.begun);
  sem_destroy(&held_solves.stopped);
  sem_destroy(&held_solves.let_go);
}
