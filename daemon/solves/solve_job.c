/*
 * The happy path: prepared, run on a thread, and its result looked at by its owner. The same thread packs the
 * puzzle for the store, so that the loop has no work in proportion to its size.
 */
#include "daemon/solves/solve_job.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "solver/packed.h"
#include "solver/solve.h"

uint64_t solve_clock_us(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

struct solve_job *solve_job_new(struct arena *arena, const struct id *id)
{
  struct solve_job *solve = calloc(1, sizeof(*solve));
  if (!solve)
    return NULL;
  solve->node.id = *id;
  solve->arena = arena;
  solve->need_bytes = solve_bytes(arena);
  solve->asked_ms = solve_clock_us() / 1000;
  list_init(&solve->askers);
  list_init(&solve->link);
  return solve;
}

/* Without memory the puzzle is not kept: who has its id must send it again. */
static void pack(struct solve_job *solve)
{
  size_t bytes = arena_packed_bytes(solve->arena);
  solve->packed = malloc(bytes);
  if (!solve->packed)
    return;
  arena_pack(solve->arena, solve->packed);
  solve->packed_bytes = bytes;
}

static void solve_job_run(struct job *job)
{
  struct solve_job *solve_job = container_of(job, struct solve_job, job);
  struct solve_options options = {
      .threads = solve_job->threads,
      .max_bytes = solve_job->charged_bytes,
      .stop = &job->stop,
      .decided = &solve_job->decided,
      .layers = &solve_job->layers,
  };
  uint64_t began_us = solve_clock_us();
  atomic_store(&solve_job->began_us, began_us);
  solve_job->result = solve(solve_job->arena, &options, &solve_job->table);
  solve_job->ended_us = solve_clock_us();
  solve_job->solve_us = solve_job->ended_us - began_us;
}

static void solve_job_run_and_pack(struct job *job)
{
  struct solve_job *solve = container_of(job, struct solve_job, job);
  solve_job_run(job);
  if (solve->result == 0)
    pack(solve);
}

void solve_job_prepare(struct solve_job *solve, unsigned threads, bool kept)
{
  solve->threads = threads;
  solve->result = -ECANCELED;
  atomic_store(&solve->began_us, 0);
  atomic_store(&solve->decided, 0);
  atomic_store(&solve->layers, 0);
  solve->job.run = kept ? solve_job_run_and_pack : solve_job_run;
}

void solve_job_stop_overdue(struct solve_job *solve, uint64_t limit_ms)
{
  uint64_t began_us = atomic_load(&solve->began_us);
  if (limit_ms == 0 || began_us == 0 || (solve_clock_us() - began_us) / 1000 < limit_ms)
    return;
  solve->overdue = true;
  atomic_store(&solve->job.stop, true);
}

int solve_job_fault(const struct solve_job *solve, const struct daemon_limits *limits,
                    struct fault *fault)
{
  uint32_t nodes = solve->arena->nodes;
  char words[LIMIT_WORDS];
  switch (solve->result) {
  case -EBUSY:
    return fault_set(fault, ERROR_BUSY, "an earlier solve needs the memory, so try again later");
  case -ENOMEM:
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory while solving %u nodes", nodes);
  case -ECANCELED:
    if (solve->overdue)
      return fault_set(fault, ERROR_TIMEOUT,
                       "%u nodes were not solved within the %s that --solve-time-max allows", nodes,
                       limit_ms_words(limits->solve_ms, words));
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
