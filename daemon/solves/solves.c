/*
 * The happy path: the first asker makes a solve, others join it. It waits in the order of arrival until what it
 * may hold can be charged, and runs. When it has a table, the store keeps its puzzle; then the table goes into the
 * cache, and the askers are answered, a few in each round of the loop.
 *
 * Memory: a solve that outgrows its charge begins again with more, up to all there is. Small solves may pass a
 * large one that waits for memory, but only for a second. Puzzles that wait take memory themselves: where nothing
 * runs and the first still does not fit, the last one gives way.
 *
 * Failure: too large, too many, or out of memory is told at the beginning; all else, to every asker at the end.
 */
#include "daemon/solves/solves.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/solves/solve_job.h"

enum { ANSWERED_AT_ONCE = 16, OVERTAKEN_MS = 1000, STUCK_MS = 10000, MAP_BITS = 12 };

static void start_waiting(struct solves *solves);

static struct solve_job *of_link(struct link *link)
{
  return container_of(link, struct solve_job, link);
}

int solves_init(struct solves *solves, struct memory *memory, struct workers *workers,
                unsigned threads, const struct daemon_limits *limits, struct store *store)
{
  *solves = (struct solves){
      .memory = memory, .workers = workers, .store = store, .limits = limits, .threads = threads};
  list_init(&solves->waiting);
  list_init(&solves->running);
  list_init(&solves->keeping);
  list_init(&solves->finished);
  return id_map_init(&solves->map, MAP_BITS);
}

/* Its askers have their answers or have left. What the cache did not take goes. */
static void solve_free(struct solve_job *solve)
{
  struct memory *memory = solve->solves->memory;
  list_remove(&solve->link);
  if (solve->solved)
    cache_unref(memory->cache, solve->solved);
  if (solve->arena)
    memory_free_arena(memory, solve->arena, solve->arena_bytes);
  if (solve->table)
    memory_free_table(memory, solve->table, solve->charged_bytes);
  free(solve->packed);
  free(solve);
}

static void enter_stage(struct solve_job *solve, enum solve_stage stage, struct link *list)
{
  struct solves *solves = solve->solves;
  solves->waiting_count -= solve->stage == SOLVE_WAITING && !list_empty(&solve->link);
  solves->running_count -= solve->stage == SOLVE_RUNNING;
  solves->waiting_count += stage == SOLVE_WAITING;
  solves->running_count += stage == SOLVE_RUNNING;
  solve->stage = stage;
  list_remove(&solve->link);
  list_append(list, &solve->link);
}

/* Moves the table into the cache, which counts its bytes from now on. */
static void hand_to_cache(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  struct solved *solved =
      cache_add(solves->memory->cache, &solve->node.id, solve->arena, solve->table);
  if (!solved) {
    fault_set(&solve->fault, ERROR_NO_MEMORY, "out of memory for keeping the table");
    return;
  }
  memory_release(solves->memory, solve->arena_bytes + solve->charged_bytes);
  solve->arena = NULL;
  solve->table = NULL;
  solved->solve_us = solve->solve_us;
  solved->used_ms = solve->ended_us / 1000;
  solve->solved = solved;
  solves->solved++;
}

static void answer_first(struct solve_job *solve)
{
  struct asker *asker = container_of(list_pop(&solve->askers), struct asker, link);
  asker->solve = NULL;
  asker->answer(asker, solve->solved, solve->solved ? NULL : &solve->fault);
}

/* The rest come in the next round of the loop: there may be any number, and others wait meanwhile. */
static void answer_some(struct solves *solves)
{
  unsigned answered = 0;
  while (!list_empty(&solves->finished)) {
    struct solve_job *solve = of_link(solves->finished.next);
    if (list_empty(&solve->askers)) {
      solve_free(solve);
    } else if (answered++ < ANSWERED_AT_ONCE || solves->closing) {
      answer_first(solve);
    } else {
      workers_wake(solves->workers);
      return;
    }
  }
}

static void finish(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  id_map_remove(&solves->map, &solve->node);
  enter_stage(solve, SOLVE_FINISHED, &solves->finished);
  if (solve->result == 0)
    hand_to_cache(solve);
  else if (solve->result == -EFBIG)
    memory_refuse(solves->memory, solve->arena->nodes, solves->limits->memory_bytes, &solve->fault);
  else
    solve_job_fault(solve, solves->limits, &solve->fault);
  answer_some(solves);
}

/* Whether or not that worked: the store keeps trying, and has said so in the log. */
static void on_kept(struct store_request *request)
{
  finish(container_of(request, struct solve_job, keep));
}

/* Keeps the puzzle before anyone hears of its id. */
static void keep(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  uint8_t *packed = solve->packed;
  solve->packed = NULL;
  solve->keep.done = on_kept;
  enter_stage(solve, SOLVE_KEEPING, &solves->keeping);
  if (!packed || store_keep(solves->store, &solve->keep, packed, solve->packed_bytes,
                            &solve->node.id, solve->arena->nodes, solve->arena->game) < 0)
    finish(solve);
}

/* Did the solve outgrow what was charged, and is there more? */
static bool solve_retry(struct solve_job *solve)
{
  uint64_t most_bytes = solve->solves->limits->memory_bytes - solve->arena_bytes;
  if (solve->result != -EFBIG || solve->charged_bytes >= most_bytes)
    return false;
  solve->need_bytes = 2 * solve->charged_bytes < most_bytes ? 2 * solve->charged_bytes : most_bytes;
  solve->charged_bytes = 0;
  return true;
}

/* It waits in front: it has waited before. */
static void wait_again(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  enter_stage(solve, SOLVE_WAITING, &solves->waiting);
  list_remove(&solve->link);
  list_prepend(&solves->waiting, &solve->link);
}

static void solve_done(struct job *job)
{
  struct solve_job *solve = container_of(job, struct solve_job, job);
  struct solves *solves = solve->solves;
  uint64_t held_bytes = solve->table ? table_bytes(solve->table->nodes, solve->table->width) : 0;
  memory_release(solves->memory, solve->charged_bytes - held_bytes);
  if (solve->dropped) {
    solve->charged_bytes = held_bytes;
    enter_stage(solve, SOLVE_FINISHED, &solves->finished);
    solve_free(solve);
  } else if (solve_retry(solve)) {
    wait_again(solve);
  } else {
    solve->charged_bytes = held_bytes;
    if (solve->result == 0 && !solves->closing)
      keep(solve);
    else
      finish(solve);
  }
  start_waiting(solves);
}

static void start(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  enter_stage(solve, SOLVE_RUNNING, &solves->running);
  unsigned share = solves->threads / solves->running_count;
  solve_job_prepare(solve, share ? share : 1, solves->store && !solve->on_disk);
  solve->job.done = solve_done;
  workers_submit(solves->workers, &solve->job);
}

/* The last that arrived is told to come again, and its arena's memory is free for the first. */
static void give_way(struct solves *solves)
{
  struct solve_job *last = of_link(solves->waiting.prev);
  if (solves->running_count > 0 || last == of_link(solves->waiting.next))
    return;
  last->result = -EBUSY;
  finish(last);
  workers_wake(solves->workers); /* for the first to be tried again */
}

/* False where nothing that came later may start now. */
static bool try_start(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  int result = memory_charge(solves->memory, solve->need_bytes, 2 * solve->need_bytes,
                             &solve->charged_bytes);
  if (result == 0) {
    start(solve);
    return true;
  }
  if (result == -EAGAIN) {
    workers_wake(solves->workers);
    return false;
  }
  uint64_t waited_ms = solve_clock_us() / 1000 - solve->asked_ms;
  if (waited_ms >= STUCK_MS)
    give_way(solves);
  return waited_ms < OVERTAKEN_MS;
}

static void start_waiting(struct solves *solves)
{
  for (struct link *link = solves->waiting.next, *next; link != &solves->waiting; link = next) {
    next = link->next;
    if (solves->closing || solves->running_count >= 2 * solves->threads ||
        !try_start(of_link(link)))
      return;
  }
}

void solves_continue(struct solves *solves)
{
  answer_some(solves);
  start_waiting(solves);
}

static int admit(struct solves *solves, struct posed *posed, struct fault *fault)
{
  int result = memory_admit(solves->memory, posed->arena, fault);
  if (result < 0)
    return result;
  if (solves->waiting_count >= solves->limits->queued_solves)
    return fault_set(fault, ERROR_BUSY, "%u solves are waiting already (--queue-max)",
                     solves->waiting_count);
  if (posed->charged_bytes > 0)
    return 0;
  if (memory_charge_little(solves->memory, posed->arena->bytes) < 0)
    return fault_set(fault, ERROR_BUSY, "the solves under way need all of --memory-max");
  posed->charged_bytes = posed->arena->bytes;
  return 0;
}

static int solve_create(struct solves *solves, struct posed *posed, struct solve_job **created,
                        struct fault *fault)
{
  if (admit(solves, posed, fault) < 0)
    return -EBADMSG;
  struct solve_job *solve = solve_job_new(posed->arena, &posed->id);
  if (!solve)
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory for a solve");
  solve->solves = solves;
  solve->arena_bytes = posed->charged_bytes;
  solve->on_disk = posed->on_disk;
  posed->arena = NULL;
  posed->charged_bytes = 0;
  id_map_add(&solves->map, &solve->node);
  enter_stage(solve, SOLVE_WAITING, &solves->waiting);
  *created = solve;
  return 0;
}

static void join(struct solve_job *solve, struct asker *asker)
{
  asker->solve = solve;
  list_append(&solve->askers, &asker->link);
}

bool solves_join(struct solves *solves, const char *digits, struct asker *asker)
{
  struct id_node *node;
  if (id_map_find_prefix(&solves->map, digits, &node) == 0)
    return false;
  join(container_of(node, struct solve_job, node), asker);
  return true;
}

int solves_ask(struct solves *solves, struct posed *posed, struct asker *asker, struct fault *fault)
{
  struct id_node *node = id_map_find(&solves->map, &posed->id);
  struct solve_job *solve = node ? container_of(node, struct solve_job, node) : NULL;
  if (!solve && solve_create(solves, posed, &solve, fault) < 0)
    return -EBADMSG;
  join(solve, asker);
  start_waiting(solves);
  return 0;
}

/* It leaves the map first, so that nobody joins it while it stops. */
static void drop(struct solve_job *solve)
{
  id_map_remove(&solve->solves->map, &solve->node);
  solve->dropped = true;
  if (solve->stage == SOLVE_RUNNING) {
    atomic_store(&solve->job.stop, true);
    return;
  }
  enter_stage(solve, SOLVE_FINISHED, &solve->solves->finished);
  solve_free(solve);
}

void solves_leave(struct solves *solves, struct asker *asker)
{
  struct solve_job *solve = asker->solve;
  asker->solve = NULL;
  list_remove(&asker->link);
  if (list_empty(&solve->askers) && solve->stage < SOLVE_KEEPING)
    drop(solve);
  start_waiting(solves);
}

void posed_drop(struct posed *posed, struct memory *memory)
{
  if (!posed->arena)
    return;
  if (posed->charged_bytes > 0)
    memory_free_arena(memory, posed->arena, posed->charged_bytes);
  else
    arena_free(posed->arena);
  *posed = (struct posed){0};
}

const struct id *asker_id(const struct asker *asker)
{
  return &asker->solve->node.id;
}

struct progress asker_progress(const struct asker *asker)
{
  return solve_job_progress(asker->solve);
}

bool solves_has(const struct solves *solves, const struct id *id)
{
  return id_map_find(&solves->map, id) != NULL;
}

void solves_each(const struct solves *solves,
                 void (*look)(void *context, const struct id *id, const struct arena *arena,
                              const struct progress *progress),
                 void *context)
{
  const struct link *lists[] = {&solves->running, &solves->keeping, &solves->waiting};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    for (struct link *at = lists[i]->next; at != lists[i]; at = at->next) {
      const struct solve_job *solve = of_link(at);
      struct progress progress = solve_job_progress(solve);
      if (!solve->dropped)
        look(context, &solve->node.id, solve->arena, &progress);
    }
  }
}

void solves_stop_overdue(struct solves *solves)
{
  for (struct link *link = solves->running.next; link != &solves->running; link = link->next)
    solve_job_stop_overdue(of_link(link), solves->limits->solve_ms);
  start_waiting(solves);
}

void solves_close(struct solves *solves)
{
  solves->closing = true;
}

void solves_deinit(struct solves *solves)
{
  solves_close(solves);
  answer_some(solves);
  while (!list_empty(&solves->waiting))
    solve_free(of_link(solves->waiting.next));
  id_map_deinit(&solves->map);
}
