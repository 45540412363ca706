/*
 * A solve is born by the first asker, waits until a thread and its memory are free, runs, and answers
 * all its askers from the one entry it put into the cache. Where the store may have the table, it runs on the
 * store's thread first and reads that; if it cannot, it waits once more and solves. The puzzle itself is
 * kept by the thread that has solved it, so that it is on disk before anyone is answered.
 *
 * A solve starts when what it may hold could be reserved; one that outgrew that starts again with more.
 *
 * Failure: too large at once or out of memory is told to every asker. A solve that was given up leaves
 * the map first, so that nobody joins it while it stops.
 */
#include "daemon/solves.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/store/store.h"
#include "solver/solve.h"

struct solve_job {
  struct job job;
  struct id_node node; /* in the map while it can be joined */
  struct link link;    /* in `waiting` until it starts, then in `in_pool` */
  struct solves *solves;
  struct arena *arena; /* owned */
  struct link askers;
  bool kept;         /* goes on without askers */
  bool dropped;      /* nobody wants it any longer */
  bool started;      /* handed to a pool */
  bool overdue;      /* stopped because it took too long */
  bool on_disk;      /* its table is to be read, not solved */
  bool known;        /* the store has the puzzle */
  bool make_current; /* some asker gave the puzzle itself */
  bool is_kept;      /* the puzzle was written, at `place` */
  struct place place;
  uint64_t need_bytes; /* at least to be reserved */
  uint64_t reserved_bytes;
  unsigned threads;
  atomic_uint_fast64_t began_us; /* 0 until a thread has it */
  atomic_uint_fast64_t decided;
  atomic_uint_fast32_t layers;
  struct table *table; /* owned, once solved */
  int result;          /* of solve() */
  uint64_t solve_us;
};

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
  return id_map_init(&solves->map);
}

void solves_close(struct solves *solves)
{
  solves->closing = true;
}

static void solve_free(struct solve_job *solve)
{
  arena_free(solve->arena);
  table_free(solve->table);
  free(solve);
}

void solves_deinit(struct solves *solves)
{
  for (struct link *link; (link = list_pop(&solves->waiting));)
    solve_free(container_of(link, struct solve_job, link));
  id_map_deinit(&solves->map);
}

static uint64_t now_us(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void solve_run(struct job *job)
{
  struct solve_job *solve_job = of_job(job);
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
  solve_job->solve_us = now_us() - began_us;
  if (solve_job->result == 0 && !solve_job->known)
    solve_job->is_kept = store_write_puzzle(solve_job->solves->store, solve_job->arena,
                                            &solve_job->node.id, &solve_job->place) == 0;
}

static void table_run(struct job *job)
{
  struct solve_job *solve = of_job(job);
  solve->result = store_read_table(solve->solves->store, &solve->node.id, solve->arena->nodes,
                                   solve->reserved_bytes - solve->arena->bytes, &job->stop,
                                   &solve->table, &solve->solve_us);
}

static int fault_of_result(const struct solves *solves, const struct solve_job *solve,
                           struct fault *fault)
{
  switch (solve->result) {
  case -EFBIG:
    return budget_refuse(&solves->budget, solve->arena->nodes, 2 * solve->need_bytes, fault);
  case -ENOMEM:
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory while solving %" PRIu32 " nodes",
                     solve->arena->nodes);
  case -ECANCELED:
    if (solve->overdue)
      return fault_set(fault, ERROR_LIMIT,
                       "%" PRIu32 " nodes were not solved within the %" PRIu64 " ms allowed",
                       solve->arena->nodes, solves->limits->solve_ms);
    return fault_set(fault, ERROR_DRAINING, "the daemon is shutting down");
  default: return fault_set(fault, ERROR_INTERNAL, "the solve failed: error %d", -solve->result);
  }
}

/* Moves a finished solve into the cache. The entry is referenced; NULL with `fault` when there is none. */
static struct solved *solve_keep(struct solves *solves, struct solve_job *solve,
                                 struct fault *fault)
{
  if (solve->result) {
    fault_of_result(solves, solve, fault);
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
  solved->used_ms = now_us() / 1000;
  solved->source = solve->on_disk ? SOURCE_DISK : SOURCE_SOLVED;
  solves->solved += !solve->on_disk;
  store_add(solves->store, solved, solve->is_kept ? &solve->place : NULL);
  return solved;
}

static void solve_finish(struct solves *solves, struct solve_job *solve)
{
  struct fault fault;
  id_map_remove(&solves->map, &solve->node);
  solve->kept = true; /* an answer may make other askers leave, which must not drop it */
  struct solved *solved = solve_keep(solves, solve, &fault);
  if (solved && solve->make_current) {
    cache_set_current(solves->cache, solved);
    store_set_current(solves->store, &solved->node.id);
  }
  for (struct link *link; (link = list_pop(&solve->askers));) {
    struct asker *asker = container_of(link, struct asker, link);
    asker->solve = NULL;
    asker->answer(asker, solved, solved ? NULL : &fault);
  }
  if (solved)
    cache_unref(solves->cache, solved);
  solve_free(solve);
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
    solve_free(solve);
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
  solve->threads = share ? share : 1;
  solve->result = -ECANCELED;
  list_append(&solves->in_pool, &solve->link);
  atomic_store(&solve->began_us, 0);
  atomic_store(&solve->decided, 0);
  atomic_store(&solve->layers, 0);
  solve->job.run = solve->on_disk ? table_run : solve_run;
  workers_submit(solve->on_disk ? store_readers(solves->store) : solves->workers, &solve->job);
}

/* The first that fits goes first, so that a small solve need not wait for a large one's memory. */
void solves_start_waiting(struct solves *solves)
{
  solves->shrinking = false;
  for (struct link *link = solves->waiting.next, *next;
       link != &solves->waiting && !solves->shrinking; link = next) {
    if (solves->closing || solves->started >= 2 * solves->threads)
      return;
    next = link->next;
    struct solve_job *solve = container_of(link, struct solve_job, link);
    int result = budget_reserve(&solves->budget, solve->need_bytes, &solve->reserved_bytes);
    if (result == 0)
      solve_start(solves, solve);
    solves->shrinking = result == -EAGAIN;
  }
  if (solves->shrinking)
    workers_wake(solves->workers);
}

static int check_admission(struct solves *solves, const struct solve_job *solve,
                           struct fault *fault)
{
  int result = budget_admit(&solves->budget, solve->arena, solve->need_bytes, fault);
  if (result == 0 && solves->waiting_count >= solves->limits->queued_solves)
    result = fault_set(fault, ERROR_BUSY, "%u solves are waiting already", solves->waiting_count);
  return result;
}

static struct solve_job *solve_new(struct solves *solves, struct arena *arena, const struct id *id)
{
  struct solve_job *solve = calloc(1, sizeof(*solve));
  if (!solve)
    return NULL;
  solve->job.done = solve_done;
  solve->node.id = *id;
  solve->solves = solves;
  solve->arena = arena;
  solve->need_bytes = solve_bytes(arena) + arena->bytes;
  solve->known = store_find(solves->store, id) != NULL;
  solve->on_disk = store_may_have_table(solves->store, id);
  list_init(&solve->askers);
  return solve;
}

static int solve_create(struct solves *solves, struct arena *arena, const struct id *id,
                        struct solve_job **created, struct fault *fault)
{
  struct solve_job *solve = solve_new(solves, arena, id);
  if (!solve)
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory for a solve");
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

int solves_ask(struct solves *solves, struct arena *arena, const struct id *id, struct asker *asker,
               struct fault *fault)
{
  struct id_node *node = id_map_find(&solves->map, id);
  struct solve_job *solve = node ? container_of(node, struct solve_job, node) : NULL;
  if (solve) {
    arena_free(arena);
  } else {
    int result = solve_create(solves, arena, id, &solve, fault);
    if (result)
      return result;
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
  solve_free(solve);
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
  uint64_t limit_us = solves->limits->solve_ms * 1000;
  for (struct link *link = solves->in_pool.next; link != &solves->in_pool; link = link->next) {
    struct solve_job *solve = container_of(link, struct solve_job, link);
    uint64_t began_us = atomic_load(&solve->began_us);
    if (limit_us == 0 || began_us == 0 || now_us() - began_us < limit_us)
      continue;
    solve->overdue = true;
    atomic_store(&solve->job.stop, true);
  }
}

struct progress solves_progress(const struct asker *asker)
{
  struct solve_job *solve = asker->solve;
  return (struct progress){
      .layers = atomic_load(&solve->layers),
      .decided = atomic_load(&solve->decided),
      .states = arena_states(solve->arena),
  };
}
