/*
 * A solve is born by the first asker, joined by whoever asks for the same puzzle before it is finished, and given
 * up when its last asker leaves. When it runs is for solve_queue.c to say; solve_finish.c answers the askers.
 *
 * Failure: what is too large, or one too many to wait, is refused at birth; so is what there is no memory for.
 */
#include "daemon/solves.h"

#include <assert.h>
#include <stdlib.h>

#include "daemon/solve_finish.h"
#include "daemon/solve_queue.h"

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

void solves_deinit(struct solves *solves)
{
  solves_close(solves);
  solves_answer_some(solves);
  solves_free_spent(&solves->waiting);
  solves_free_spent(&solves->spent);
  id_map_deinit(&solves->map);
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

void solves_leave(struct solves *solves, struct asker *asker, bool keep)
{
  struct solve_job *solve = asker->solve;
  asker->solve = NULL;
  list_remove(&asker->link);
  solve->kept |= keep;
  if (!solve->kept && list_empty(&solve->askers))
    solve_drop(solves, solve);
}

struct progress solves_progress(const struct asker *asker)
{
  return solve_job_progress(asker->solve);
}
