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
#include <string.h>

#include <uv.h>

#include "proto/units.h"
#include "solver/packed.h"
#include "solver/solve.h"

enum { ANSWERED_AT_ONCE = 16, OVERTAKEN_MS = 1000, STUCK_MS = 10000, MAP_BITS = 12 };

struct solve_job {
  struct job job;
  struct id_node node; /* in the map until it is finished or dropped */
  struct link link;    /* in the list of its stage */
  struct solves *solves;
  enum solve_stage stage;
  struct solved *solved;  /* owned and its arena charged; once in the cache, referenced */
  struct link askers;     /* struct asker */
  bool overdue;           /* stopped because it took too long */
  uint64_t asked_ms;      /* when it was, by now_us() */
  uint64_t need_bytes;    /* to be charged at least before it runs */
  uint64_t charged_bytes; /* for the run, and then for the table */
  unsigned threads;
  atomic_uint_fast64_t began_us; /* 0 until a thread has it */
  atomic_uint_fast64_t decided;
  atomic_uint_fast32_t layers;
  struct table *table; /* owned, from the solve until it is in the cache */
  int result;          /* of solve(), or -EBUSY where it had to give way */
  uint64_t ended_us;
  uint8_t *packed; /* owned: the puzzle as the store keeps it, or NULL */
  size_t packed_bytes;
  struct store_request keep;
  struct fault fault; /* why there is no table, once finished */
};

static uint64_t now_us(void)
{
  return uv_hrtime() / 1000;
}

static struct solve_job *of_link(struct link *link)
{
  return container_of(link, struct solve_job, link);
}

static struct solve_job *of_node(struct id_node *node)
{
  return container_of(node, struct solve_job, node);
}

int solves_init(struct solves *solves, struct memory *memory, struct workers *workers,
                unsigned threads, const struct daemon_limits *limits, struct store *store)
{
  *solves = (struct solves){
      .memory = memory, .workers = workers, .store = store, .limits = limits, .threads = threads};
  for (int stage = 0; stage < SOLVE_STAGES; stage++)
    list_init(&solves->at[stage]);
  return id_map_init(&solves->map, MAP_BITS);
}

/* Leaves its stage, where it is at one. */
static void leave_stage(struct solve_job *solve)
{
  solve->solves->count[solve->stage] -= !list_empty(&solve->link);
  list_remove(&solve->link);
}

static void enter_stage(struct solve_job *solve, enum solve_stage stage)
{
  leave_stage(solve);
  solve->stage = stage;
  list_append(&solve->solves->at[stage], &solve->link);
  solve->solves->count[stage]++;
}

/* Its askers have their answers or have left. Drops the puzzle where it is not in the cache. */
static void solve_free(struct solve_job *solve)
{
  struct memory *memory = solve->solves->memory;
  leave_stage(solve);
  if (solve->solved->references > 0) {
    cache_unref(memory->cache, solve->solved);
  } else {
    memory_release(memory, solve->solved->arena->bytes + solve->charged_bytes);
    cache_drop(memory->cache, solve->solved, solve->table);
  }
  free(solve->packed);
  free(solve);
}

/* A few a round: a solve may have any number of askers, and other peers wait meanwhile. */
static void answer_some(struct solves *solves)
{
  unsigned answered = 0;
  struct link *finished = &solves->at[SOLVE_FINISHED];
  while (!list_empty(finished)) {
    struct solve_job *solve = of_link(finished->next);
    if (list_empty(&solve->askers)) {
      solve_free(solve);
      continue;
    }
    if (answered++ == ANSWERED_AT_ONCE)
      return;
    struct asker *asker = container_of(list_pop(&solve->askers), struct asker, link);
    bool is_solved = solve->result == 0;
    asker->solve = NULL;
    asker->answer(asker, is_solved ? solve->solved : NULL, is_solved ? NULL : &solve->fault);
  }
}

static int refuse_size(const struct solves *solves, uint32_t nodes, uint64_t need_bytes,
                       struct fault *fault)
{
  char need[UNIT_WORDS], max[UNIT_WORDS];
  return fault_set(fault, ERROR_TOO_LARGE,
                   "%u nodes need at least %s to solve, but --memory-max allows %s", nodes,
                   bytes_words(need_bytes, need), bytes_words(solves->limits->memory_bytes, max));
}

/* Says why there is no table. */
static void explain(struct solve_job *solve)
{
  const struct daemon_limits *limits = solve->solves->limits;
  struct fault *fault = &solve->fault;
  uint32_t nodes = solve->solved->arena->nodes;
  char words[UNIT_WORDS];
  if (solve->result == -EFBIG)
    fault_set(fault, ERROR_TOO_LARGE,
              "%u nodes need more to solve than the %s that --memory-max allows", nodes,
              bytes_words(limits->memory_bytes, words));
  else if (solve->result == -EBUSY)
    fault_set(fault, ERROR_BUSY, "an earlier solve needs the memory, so try again later");
  else if (solve->result == -ECANCELED && solve->overdue)
    fault_set(fault, ERROR_TIMEOUT,
              "%u nodes were not solved within the %s that --solve-time-max allows", nodes,
              time_words(limits->solve_ms, words));
  else if (solve->result == -ECANCELED)
    fault_set(fault, ERROR_DRAINING, "the daemon is shutting down");
  else
    fault_set(fault, ERROR_NO_MEMORY, "out of memory while solving %u nodes", nodes);
}

static void finish(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  struct solved *solved = solve->solved;
  id_map_remove(&solves->map, &solve->node);
  enter_stage(solve, SOLVE_FINISHED);
  if (solve->result < 0) {
    explain(solve);
    return;
  }
  /* From here on the cache counts the bytes of the arena and the table. */
  memory_release(solves->memory, solved->arena->bytes + solve->charged_bytes);
  solved->solve_us = solve->ended_us - atomic_load(&solve->began_us);
  solved->used_ms = solved->noted_ms = solve->ended_us / 1000; /* what is kept is noted as used */
  cache_add(solves->memory->cache, solved, solve->table);
  solves->solved++;
}

/* Also where the disk failed: the store keeps trying, and has said so in the log. */
static void on_kept(struct store_request *request)
{
  finish(container_of(request, struct solve_job, keep));
}

/* The puzzle is on disk before any peer hears of its id. */
static void keep(struct solve_job *solve)
{
  const struct arena *arena = solve->solved->arena;
  uint8_t *packed = solve->packed;
  solve->packed = NULL;
  solve->keep.done = on_kept;
  enter_stage(solve, SOLVE_KEEPING);
  if (!packed || store_keep(solve->solves->store, &solve->keep, packed, solve->packed_bytes,
                            &solve->node.id, arena->nodes, arena->game) < 0)
    finish(solve);
}

/* Did the solve outgrow what was charged, and is there more? */
static bool solve_retry(struct solve_job *solve)
{
  uint64_t most_bytes = solve->solves->limits->memory_bytes - solve->solved->arena->bytes;
  if (solve->result != -EFBIG || solve->charged_bytes >= most_bytes)
    return false;
  solve->need_bytes = 2 * solve->charged_bytes < most_bytes ? 2 * solve->charged_bytes : most_bytes;
  solve->charged_bytes = 0;
  return true;
}

/* It left the map then. */
static bool is_dropped(const struct solve_job *solve)
{
  return solve->stage == SOLVE_RUNNING && list_empty(&solve->askers);
}

static void solve_done(struct job *job)
{
  struct solve_job *solve = container_of(job, struct solve_job, job);
  struct solves *solves = solve->solves;
  uint64_t held_bytes = solve->table ? table_bytes(solve->table->nodes, solve->table->width) : 0;
  memory_release(solves->memory, solve->charged_bytes - held_bytes);
  const bool dropped = is_dropped(solve);
  if (!dropped && solve_retry(solve)) {
    enter_stage(solve, SOLVE_WAITING);
    list_remove(&solve->link); /* in front of the others: it has waited before */
    list_prepend(&solves->at[SOLVE_WAITING], &solve->link);
    return;
  }
  solve->charged_bytes = held_bytes;
  if (dropped)
    solve_free(solve);
  else if (solve->result == 0 && !solves->closing)
    keep(solve);
  else
    finish(solve);
}

/*
 * On a thread of the pool, which packs the puzzle, too: the loop has no work in proportion to its size. Without memory
 * for that, the puzzle is not kept on disk.
 */
static void run(struct job *job)
{
  struct solve_job *solve_job = container_of(job, struct solve_job, job);
  const struct arena *arena = solve_job->solved->arena;
  struct solve_options options = {
      .threads = solve_job->threads,
      .max_bytes = solve_job->charged_bytes,
      .stop = &job->stop,
      .decided = &solve_job->decided,
      .layers = &solve_job->layers,
  };
  atomic_store(&solve_job->began_us, now_us());
  solve_job->result = solve(arena, &options, &solve_job->table);
  solve_job->ended_us = now_us();
  if (solve_job->result < 0 || !solve_job->solves->store)
    return;
  solve_job->packed_bytes = arena_packed_bytes(arena);
  solve_job->packed = malloc(solve_job->packed_bytes);
  if (solve_job->packed)
    arena_pack(arena, solve_job->packed);
}

/* It may have run before. One from the disk is kept there again: it may have been forgotten meanwhile. */
static void start(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  enter_stage(solve, SOLVE_RUNNING);
  unsigned share = solves->threads / solves->count[SOLVE_RUNNING];
  solve->threads = share ? share : 1;
  solve->result = -ECANCELED;
  atomic_store(&solve->began_us, 0);
  atomic_store(&solve->decided, 0);
  atomic_store(&solve->layers, 0);
  solve->job.run = run;
  solve->job.done = solve_done;
  workers_submit(solves->workers, &solve->job);
}

/* The last that arrived is told to come again, and its arena's memory is free for the first. */
static void give_way(struct solves *solves)
{
  const struct link *waiting = &solves->at[SOLVE_WAITING];
  struct solve_job *last = of_link(waiting->prev);
  if (solves->count[SOLVE_RUNNING] > 0 || waiting->prev == waiting->next)
    return;
  last->result = -EBUSY;
  finish(last);
}

/* False where no later solve may start now. */
static bool try_start(struct solve_job *solve)
{
  struct solves *solves = solve->solves;
  int result = memory_charge(solves->memory, solve->need_bytes, 2 * solve->need_bytes,
                             &solve->charged_bytes);
  if (result == 0) {
    start(solve);
    return true;
  }
  if (result == -EAGAIN)
    return false;
  uint64_t waited_ms = now_us() / 1000 - solve->asked_ms;
  if (waited_ms >= STUCK_MS)
    give_way(solves);
  return waited_ms < OVERTAKEN_MS;
}

static void start_waiting(struct solves *solves)
{
  struct link *waiting = &solves->at[SOLVE_WAITING];
  for (struct link *link = waiting->next, *next; link != waiting; link = next) {
    next = link->next;
    if (solves->closing || solves->count[SOLVE_RUNNING] >= 2 * solves->threads ||
        !try_start(of_link(link)))
      return;
  }
}

bool solves_continue(struct solves *solves)
{
  answer_some(solves);
  start_waiting(solves);
  return !list_empty(&solves->at[SOLVE_FINISHED]);
}

static int admit(struct solves *solves, struct posed *posed, struct fault *fault)
{
  const struct arena *arena = posed->arena;
  const uint64_t need_bytes = solve_bytes(arena) + arena->bytes;
  const uint64_t kept_bytes = arena->bytes + table_bytes(arena->nodes, 1);
  char need[UNIT_WORDS], max[UNIT_WORDS];
  if (need_bytes > solves->limits->memory_bytes)
    return refuse_size(solves, arena->nodes, need_bytes, fault);
  if (kept_bytes > solves->limits->cache_bytes)
    return fault_set(fault, ERROR_TOO_LARGE,
                     "a table of %u nodes takes %s, but --cache-max allows %s", arena->nodes,
                     bytes_words(kept_bytes, need), bytes_words(solves->limits->cache_bytes, max));
  if (solves->count[SOLVE_WAITING] >= solves->limits->queued_solves)
    return fault_set(fault, ERROR_BUSY, "%u solves are waiting already (--queue-max)",
                     solves->count[SOLVE_WAITING]);
  if (posed->charged_bytes > 0)
    return 0;
  if (memory_charge_little(solves->memory, arena->bytes) < 0)
    return fault_set(fault, ERROR_BUSY, "the solves under way need all of --memory-max");
  posed->charged_bytes = arena->bytes;
  return 0;
}

static int solve_create(struct solves *solves, struct posed *posed, struct solve_job **created,
                        struct fault *fault)
{
  if (admit(solves, posed, fault) < 0)
    return -EBADMSG;
  struct solve_job *solve = calloc(1, sizeof *solve);
  struct solved *solved = solve ? solved_new(&posed->id, posed->arena) : NULL;
  if (!solved) {
    free(solve);
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory for a solve");
  }
  solve->solves = solves;
  solve->solved = solved;
  solve->node.id = posed->id;
  solve->need_bytes = solve_bytes(posed->arena);
  solve->asked_ms = now_us() / 1000;
  list_init(&solve->askers);
  list_init(&solve->link);
  *posed = (struct posed){0};
  id_map_add(&solves->map, &solve->node);
  enter_stage(solve, SOLVE_WAITING);
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
  join(of_node(node), asker);
  return true;
}

int solves_ask(struct solves *solves, struct posed *posed, struct asker *asker, struct fault *fault)
{
  struct id_node *node = id_map_find(&solves->map, &posed->id);
  struct solve_job *solve = node ? of_node(node) : NULL;
  if (!solve && solve_create(solves, posed, &solve, fault) < 0)
    return -EBADMSG;
  join(solve, asker);
  start_waiting(solves);
  return 0;
}

void solves_leave(struct asker *asker)
{
  struct solve_job *solve = asker->solve;
  asker->solve = NULL;
  list_remove(&asker->link);
  if (!list_empty(&solve->askers) || solve->stage >= SOLVE_KEEPING)
    return;
  id_map_remove(&solve->solves->map, &solve->node); /* nobody joins it while it stops */
  if (solve->stage == SOLVE_RUNNING)
    atomic_store(&solve->job.stop, true);
  else
    solve_free(solve);
}

static void free_arena(void *arena)
{
  arena_free(arena);
}

void posed_drop(struct posed *posed, struct memory *memory)
{
  if (posed->arena)
    free_later(memory->helpers, free_arena, posed->arena, posed->arena->bytes);
  memory_release(memory, posed->charged_bytes);
  *posed = (struct posed){0};
}

const char *asker_id(const struct asker *asker)
{
  return asker->solve->solved->id_text;
}

static struct progress progress_of(const struct solve_job *solve)
{
  return (struct progress){
      .layers = atomic_load(&solve->layers),
      .decided = atomic_load(&solve->decided),
      .states = arena_states(solve->solved->arena),
  };
}

struct progress asker_progress(const struct asker *asker)
{
  return progress_of(asker->solve);
}

bool solves_has(const struct solves *solves, const struct id *id)
{
  return id_map_find(&solves->map, id) != NULL;
}

uint32_t solves_list(const struct solves *solves, struct listed_table *entries, uint32_t most)
{
  static const enum solve_stage order[] = {SOLVE_RUNNING, SOLVE_KEEPING, SOLVE_WAITING};
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    const struct link *list = &solves->at[order[i]];
    for (struct link *at = list->next; at != list && count < most; at = at->next) {
      const struct solve_job *solve = of_link(at);
      const struct solved *solved = solve->solved;
      if (is_dropped(solve))
        continue;
      struct listed_table *entry = &entries[count++];
      *entry = (struct listed_table){
          .game = solved->arena->game,
          .nodes = solved->arena->nodes,
          .where = PLACE_SOLVING,
          .progress = progress_of(solve),
      };
      memcpy(entry->id, solved->id_text, sizeof entry->id);
    }
  }
  return count;
}

void solves_stop_overdue(struct solves *solves)
{
  const uint64_t limit_ms = solves->limits->solve_ms;
  const struct link *running = &solves->at[SOLVE_RUNNING];
  for (struct link *at = running->next; at != running; at = at->next) {
    struct solve_job *solve = of_link(at);
    uint64_t began_us = atomic_load(&solve->began_us);
    if (limit_ms == 0 || began_us == 0 || (now_us() - began_us) / 1000 < limit_ms)
      continue;
    solve->overdue = true;
    atomic_store(&solve->job.stop, true);
  }
}

void solves_close(struct solves *solves)
{
  solves->closing = true;
}

void solves_deinit(struct solves *solves)
{
  solves_close(solves);
  answer_some(solves);
  while (!list_empty(&solves->at[SOLVE_WAITING]))
    solve_free(of_link(solves->at[SOLVE_WAITING].next));
  id_map_deinit(&solves->map);
}
