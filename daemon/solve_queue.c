/*
 * The happy path: a solve waits until a thread and its memory are free, runs, and is finished. Where the store
 * may have the table, it runs on the store's thread first and reads that; if it cannot, it waits once more and
 * solves.
 *
 * A solve starts when what it may hold could be reserved; one that outgrew that starts again with more.
 *
 * A solve that was given up leaves the map first, so that nobody joins it while it stops.
 */
#include "daemon/solve_queue.h"

#include <errno.h>

#include "daemon/solve_finish.h"

static struct solve_job *of_job(struct job *job)
{
  return container_of(job, struct solve_job, job);
}

static void shrink_later(struct solves *solves)
{
  if (solves->shrinking || solves->closing) /* the pool may be gone then */
    return;
  solves->shrinking = true;
  workers_wake(solves->workers);
}

void solve_enqueue(struct solves *solves, struct solve_job *solve)
{
  list_append(&solves->waiting, &solve->link);
  solves->waiting_count++;
}

/* Did the solve outgrow its reservation, and can a larger one be had? */
static bool solve_retry(struct solves *solves, struct solve_job *solve)
{
  uint64_t larger_bytes = 2 * solve->need_bytes;
  if (solve->dropped || solve->result != -EFBIG || solve->reserved_bytes >= larger_bytes ||
      larger_bytes > solves->limits->memory_bytes)
    return false;
  solve->need_bytes = larger_bytes;
  solve_enqueue(solves, solve);
  return true;
}

/* A table that could not be read is solved; but what is too large for its reservation may fit in a larger one. */
static bool solve_instead(struct solves *solves, struct solve_job *solve)
{
  if (!solve->on_disk)
    return false;
  store_table_was_read(solves->store, &solve->node.id, solve->result);
  if (solve->dropped || solve->result == 0 || solve->result == -EFBIG)
    return false;
  solve->on_disk = false;
  solve_enqueue(solves, solve);
  return true;
}

static void solve_done(struct job *job)
{
  struct solve_job *solve = of_job(job);
  struct solves *solves = solve->solves;
  list_remove(&solve->link);
  solves->started--;
  budget_release(&solves->budget, solve->reserved_bytes);
  solve->started = false;
  bool instead = solve_instead(solves, solve);
  if (solve->dropped)
    solve_end(solves, solve);
  else if (!instead && !solve_retry(solves, solve))
    solve_finish(solves, solve);
  solves_start_waiting(solves);
}

static void solve_start(struct solves *solves, struct solve_job *solve)
{
  list_remove(&solve->link);
  solves->waiting_count--;
  solves->started++;
  solve->started = true;
  unsigned share = solves->threads / solves->started;
  solve_job_prepare(solve, share ? share : 1);
  solve->job.done = solve_done;
  list_append(&solves->in_pool, &solve->link);
  workers_submit(solve->on_disk ? store_readers(solves->store) : solves->workers, &solve->job);
}

/* The first that fits goes first, so that a small solve need not wait for a large one's memory. */
void solves_start_waiting(struct solves *solves)
{
  if (budget_is_over(&solves->budget))
    shrink_later(solves);
  for (struct link *link = solves->waiting.next, *next; link != &solves->waiting; link = next) {
    if (solves->shrinking || solves->closing || solves->started >= 2 * solves->threads)
      return;
    next = link->next;
    struct solve_job *solve = container_of(link, struct solve_job, link);
    int result = budget_reserve(&solves->budget, solve->need_bytes, &solve->reserved_bytes);
    if (result == 0)
      solve_start(solves, solve);
    else if (result == -EAGAIN)
      shrink_later(solves);
  }
}

void solves_continue(struct solves *solves)
{
  if (list_empty(&solves->finished) && !solves->shrinking)
    return;
  solves_answer_some(solves);
  if (solves->shrinking)
    budget_keep_within(&solves->budget);
  solves->shrinking = false;
  solves_start_waiting(solves);
}

void solve_drop(struct solves *solves, struct solve_job *solve)
{
  id_map_remove(&solves->map, &solve->node);
  solve->dropped = true;
  if (solve->started) {
    atomic_store(&solve->job.stop, true);
    return;
  }
  list_remove(&solve->link);
  solves->waiting_count--;
  solve_end(solves, solve);
}

void solves_stop_overdue(struct solves *solves)
{
  for (struct link *link = solves->in_pool.next; link != &solves->in_pool; link = link->next)
    solve_job_stop_overdue(container_of(link, struct solve_job, link), solves->limits->solve_ms);
}
