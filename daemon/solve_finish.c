/*
 * The happy path: the table goes into the cache, all askers are answered from that one entry, a few in each
 * round of the loop, and what the solve held waits to be given back.
 *
 * Failure: why there is no table, or no memory to keep it, is told to every asker.
 */
#include "daemon/solve_finish.h"

enum { ANSWERED_AT_ONCE = 16 };

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

void solve_end(struct solves *solves, struct solve_job *solve)
{
  uint64_t bytes = solve_job_bytes(solve);
  list_append(&solves->spent, &solve->link);
  solves->spent_bytes += bytes;
  solves->spent_count++;
  budget_leave(&solves->budget, bytes);
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
void solves_answer_some(struct solves *solves)
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

void solve_finish(struct solves *solves, struct solve_job *solve)
{
  id_map_remove(&solves->map, &solve->node);
  solve->kept = true; /* an answer may make other askers leave, which must not drop it */
  solve->solved = solve_keep(solves, solve, &solve->fault);
  if (solve->solved && solve->make_current) {
    cache_set_current(solves->cache, solve->solved);
    store_set_current(solves->store, &solve->solved->node.id);
  }
  list_append(&solves->finished, &solve->link);
  solves_answer_some(solves);
}
