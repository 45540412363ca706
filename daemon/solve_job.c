/*
 * The happy path: prepared, run on a thread, and its result looked at by its owner. The puzzle itself is kept
 * by the thread that has solved it, so that it is on disk before anyone is answered.
 */
#include "daemon/solve_job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "solver/solve.h"

static uint64_t now_us(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

struct solve_job *solve_job_new(struct arena *arena, const struct id *id, struct store *store)
{
  struct solve_job *solve = calloc(1, sizeof(*solve));
  if (!solve)
    return NULL;
  solve->node.id = *id;
  solve->store = store;
  solve->arena = arena;
  solve->need_bytes = solve_bytes(arena) + arena->bytes;
  const struct stored *stored = store_find(store, id);
  solve->known = stored != NULL;
  if (stored)
    solve->place = stored->place;
  solve->on_disk = store_may_have_table(store, id);
  list_init(&solve->askers);
  return solve;
}

void solve_job_free(struct solve_job *solve)
{
  arena_free(solve->arena);
  table_free(solve->table);
  free(solve);
}

uint64_t solve_job_bytes(const struct solve_job *solve)
{
  uint64_t bytes = sizeof *solve;
  if (solve->arena)
    bytes += solve->arena->bytes;
  if (solve->table)
    bytes += table_bytes(solve->table->nodes, solve->table->width);
  return bytes;
}

/* What the index knows may have been cleared by another daemon. */
static void keep_puzzle(struct solve_job *solve)
{
  if (solve->known && store_still_has(solve->store, &solve->node.id, &solve->place))
    return;
  solve->is_kept =
      store_write_puzzle(solve->store, solve->arena, &solve->node.id, &solve->place) == 0;
}

static void run_solve(struct job *job)
{
  struct solve_job *solve_job = container_of(job, struct solve_job, job);
  struct solve_options options = {
      .threads = solve_job->threads,
      .max_bytes = solve_job->reserved_bytes - solve_job->arena->bytes,
      .stop = &job->stop,
      .decided = &solve_job->decided,
      .layers = &solve_job->layers,
  };
  uint64_t began_us = now_us();
  atomic_store(&solve_job->began_us, began_us);
  solve_job->result = solve(solve_job->arena, &options, &solve_job->table);
  solve_job->ended_us = now_us();
  solve_job->solve_us = solve_job->ended_us - began_us;
  if (solve_job->result == 0)
    keep_puzzle(solve_job);
}

static void run_read(struct job *job)
{
  struct solve_job *solve = container_of(job, struct solve_job, job);
  solve->result = store_read_table(solve->store, &solve->node.id, solve->arena->nodes,
                                   solve->reserved_bytes - solve->arena->bytes, &job->stop,
                                   &solve->table, &solve->solve_us);
  solve->ended_us = now_us();
}

void solve_job_prepare(struct solve_job *solve, unsigned threads)
{
  solve->threads = threads;
  solve->result = -ECANCELED;
  atomic_store(&solve->began_us, 0);
  atomic_store(&solve->decided, 0);
  atomic_store(&solve->layers, 0);
  solve->job.run = solve->on_disk ? run_read : run_solve;
}

void solve_job_stop_overdue(struct solve_job *solve, uint64_t limit_ms)
{
  uint64_t began_us = atomic_load(&solve->began_us);
  if (limit_ms == 0 || began_us == 0 || (now_us() - began_us) / 1000 < limit_ms)
    return;
  solve->overdue = true;
  atomic_store(&solve->job.stop, true);
}

int solve_job_fault(const struct solve_job *solve, const struct daemon_limits *limits,
                    struct fault *fault)
{
  uint32_t nodes = solve->arena->nodes;
  switch (solve->result) {
  case -EFBIG: return budget_refuse(limits, nodes, 2 * solve->need_bytes, fault);
  case -ENOMEM:
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory while solving %" PRIu32 " nodes",
                     nodes);
  case -ECANCELED:
    if (solve->overdue)
      return fault_set(fault, ERROR_TIMEOUT,
                       "%" PRIu32 " nodes were not solved within the %" PRIu64 " ms allowed", nodes,
                       limits->solve_ms);
    return fault_set(fault, ERROR_DRAINING, "the daemon is shutting down");
  default: return fault_set(fault, ERROR_INTERNAL, "the solve failed: error %d", -solve->result);
  }
}

struct progress solve_job_progress(const struct solve_job *solve)
{
  const struct arena *arena = solve->solved ? solve->solved->arena : solve->arena;
  return (struct progress){
      .layers = atomic_load(&solve->layers),
      .decided = atomic_load(&solve->decided),
      .states = arena_states(arena),
  };
}
