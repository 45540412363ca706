/*
 * A solve is born by the first asker, waits until a thread and its memory are free, runs, and answers
 * all its askers, a few in each round of the loop, from the one entry it put into the cache. Where the store
 * may have the table, it runs on the store's thread first and reads that; if it cannot, it waits once more and
 * solves.
 *
 * A solve starts when what it may hold could be reserved; one that outgrew that starts again with more.
 *
 * Failure: too large at once or out of memory is told to every asker. A solve that was given up leaves
 * the map first, so that nobody joins it while it stops.
 */
#include "daemon/solves.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "daemon/solve_job.h"

enum { ANSWERED_AT_ONCE = 16 };

static struct solve_job *of_job(struct job *job)
{
  return container_of(job, struct solve_job, job);
}

int solves_init(struct solves *solves, struct cache *cache, struct workers *workers,
                unsigned threads, const struct daemon_limits *limits)
{
  *solves =
      (struct solves){.cache = cache, .workers = workers, .limits = limits, .threads = threads};
  budget_init(&solves->budget, cache, limits);
  list_init(&solves->waiting);
  list_init(&solves->in_pool);
  list_init(&solves->finished);
  list_init(&solves->spent);
  return id_map_init(&solves->map);
}

void solves_close(struct solves *solves)
{
  solves->closing = true;
}

void solves_take_spent(struct solves *solves, struct link *list)
{
  list_init(list);
  list_move_all(&solves->spent, list);
  solves->spent_bytes = 0;
  solves->spent_count = 0;
}

void solves_free_spent(struct link *list)
{
  for (struct link *link; (link = list_pop(list));)
    solve_job_free(container_of(link, struct solve_job, link));
}

static void solve_end(struct solves *solves, struct solve_job *solve)
{
  uint64_t bytes = solve_job_bytes(solve);
  list_append(&solves->spent, &solve->link);
  solves->spent_bytes += bytes;
  solves->spent_count++;
  budget_leave(&solves->budget, bytes);
}

static void shrink_later(struct solves *solves)
{
  if (solves->shrinking || solves->closing) /* the pool may be gone then */
    return;
  solves->shrinking = true;
  workers_wake(solves->workers);
}

/* Moves a finished solve into the cache. The entry is referenced; NULL with `fault` when there is none. */
static struct solved *solve_keep(struct solves *solves, struct solve_job *solve,
                                 struct fault *fault)
{
  if (solve->result) {
    solve_job_fault(solve, solves->limits, fault);
    return NULL;
  }
  struct solved *solved = cache_add(solves->cache, &solve->node.id, solve->arena, solve->table);
  if (!solved) {
    fault_set(fault, ERROR_NO_MEMORY, "out of memory for keeping the table");
    return NULL;
  }
  solve->arena = NULL;
  solve->table = NULL;
  solved->solve_us = solve->solve_us;
  solved->used_ms = solve->ended_us / 1000;
  solved->source = solve->on_disk ? SOURCE_DISK : SOURCE_SOLVED;
  solves->solved += !solve->on_disk;
  store_add(solves->store, solved, solve->is_kept ? &solve->place : NULL);
  return solved;
}

/* All its askers have their answers, or have left. */
static void solve_retire(struct solves *solves, struct solve_job *solve)
{
  list_remove(&solve->link);
  if (solve->solved)
    cache_unref(solves->cache, solve->solved);
  solve_end(solves, solve);
}

static void answer_first(struct solve_job *solve)
{
  struct asker *asker = container_of(list_pop(&solve->askers), struct asker, link);
  asker->solve = NULL;
  asker->answer(asker, solve->solved, solve->solved ? NULL : &solve->fault);
}

/* Those that are left come in the next round of the loop: there may be any number, and others wait meanwhile. */
static void answer_some(struct solves *solves)
{
  unsigned answered = 0;
  while (!list_empty(&solves->finished)) {
    struct solve_job *solve = container_of(solves->finished.next, struct solve_job, link);
    if (list_empty(&solve->askers)) {
      solve_retire(solves, solve);
    } else if (answered++ < ANSWERED_AT_ONCE || solves->closing) {
      answer_first(solve);
    } else {
      workers_wake(solves->workers);
      return;
    }
  }
}

void solves_deinit(struct solves *solves)
{
  solves_close(solves);
  answer_some(solves);
  solves_free_spent(&solves->waiting);
  solves_free_spent(&solves->spent);
  id_map_deinit(&solves->map);
}

static void solve_finish(struct solves *solves, struct solve_job *solve)
{
  id_map_remove(&solves->map, &solve->node);
  solve->kept = true; /* an answer may make other askers leave, which must not drop it */
  solve->solved = solve_keep(solves, solve, &solve->fault);
  if (solve->solved && solve->make_current) {
    cache_set_current(solves->cache, solve->solved);
    store_set_current(solves->store, &solve->solved->node.id);
  }
  list_append(&solves->finished, &solve->link);
  answer_some(solves);
}

static void solve_enqueue(struct solves *solves, struct solve_job *solve)
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
  answer_some(solves);
  if (solves->shrinking)
    budget_keep_within(&solves->budget);
  solves->shrinking = false;
  solves_start_waiting(solves);
}

static int check_admission(struct solves *solves, const struct solve_job *solve,
                           struct fault *fault)
{
  int result = budget_admit(&solves->budget, solve->arena, solve->need_bytes, fault);
  if (result == 0 && solves->waiting_count >= solves->limits->queued_solves)
    result = fault_set(fault, ERROR_BUSY, "%u solves are waiting already", solves->waiting_count);
  return result;
}

static int solve_create(struct solves *solves, struct arena *arena, const struct id *id,
                        struct solve_job **created, struct fault *fault)
{
  struct solve_job *solve = solve_job_new(arena, id, solves->store);
  if (!solve)
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory for a solve");
  solve->job.done = solve_done;
  solve->solves = solves;
  int result = check_admission(solves, solve, fault);
  if (result) {
    free(solve);
    return result;
  }
  id_map_add(&solves->map, &solve->node);
  solve_enqueue(solves, solve);
  *created = solve;
  return 0;
}

int solves_ask(struct solves *solves, struct arena **arena, const struct id *id,
               struct asker *asker, struct fault *fault)
{
  struct id_node *node = id_map_find(&solves->map, id);
  struct solve_job *solve = node ? container_of(node, struct solve_job, node) : NULL;
  if (!solve) {
    int result = solve_create(solves, *arena, id, &solve, fault);
    if (result)
      return result;
    *arena = NULL;
  }

  assert(solve);
  solve->make_current |= !asker || !asker->recalls;
  if (asker) {
    asker->solve = solve;
    list_append(&solve->askers, &asker->link);
  } else {
    solve->kept = true;
  }
  solves_start_waiting(solves);
  return 0;
}

static void solve_drop(struct solves *solves, struct solve_job *solve)
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

void solves_leave(struct solves *solves, struct asker *asker, bool keep)
{
  struct solve_job *solve = asker->solve;
  asker->solve = NULL;
  list_remove(&asker->link);
  solve->kept |= keep;
  if (!solve->kept && list_empty(&solve->askers))
    solve_drop(solves, solve);
}

void solves_stop_overdue(struct solves *solves)
{
  for (struct link *link = solves->in_pool.next; link != &solves->in_pool; link = link->next)
    solve_job_stop_overdue(container_of(link, struct solve_job, link), solves->limits->solve_ms);
}

struct progress solves_progress(const struct asker *asker)
{
  return solve_job_progress(asker->solve);
}
