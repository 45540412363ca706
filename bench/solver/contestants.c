/*
 * A run's time is from the arena to the finished table; giving the table back is not counted, and each run begins
 * with fresh memory. A small puzzle is solved many times over.
 */
#include "bench/solver/contestants.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/solver/limit.h"
#include "bench/solver/warm.h"

enum { REPEATS_MAX = 1000 };

/* A small contestant's runs last about so long. */
static const double runs_ns = 10e6;

struct arena *contest_arena(const struct row *row, const struct bench_options *options)
{
  struct specimen specimen;
  family_make(row->family, row->asked_nodes, options->seed, &specimen);
  struct arena *arena;
  struct complaint complaint = {.text = "out of memory"};
  if (arena_new(&specimen.puzzle, &arena, &complaint) < 0)
    die("%s at n = %u: %s", row->family->name, row->asked_nodes, complaint.text);
  specimen_deinit(&specimen);
  return arena;
}

int contest_solve(const struct arena *arena, const struct bench_options *bench,
                  const struct solve_options *options, struct table **table)
{
  return engine_solve(arena, options, &bench->forced, table);
}

static struct time time_now(void)
{
  return (struct time){(double)wall_ns(), (double)cpu_ns()};
}

static struct time time_since(struct time begin)
{
  struct time now = time_now();
  return (struct time){now.wall - begin.wall, now.cpu - begin.cpu};
}

static void solve_or_die(const struct contest *contest, unsigned threads, struct table **table)
{
  struct solve_options options = {.threads = threads};
  int status = contest_solve(contest->arena, contest->options, &options, table);
  if (status < 0)
    die("solving %s at n = %u: %s", contest->row->family->name, contest->row->asked_nodes,
        strerror(-status));
}

static struct time solve_once(const struct contest *contest, unsigned threads, struct table **table)
{
  table_free(*table);
  solve_drop_memory();
  struct time begin = time_now();
  solve_or_die(contest, threads, table);
  return time_since(begin);
}

static struct time ours_once(struct contest *contest)
{
  return solve_once(contest, 1, &contest->ours);
}

static struct time threads_once(struct contest *contest)
{
  return solve_once(contest, contest->options->threads, &contest->threaded);
}

struct apart {
  const struct contest *contest;
  pthread_barrier_t begin, end;
};

static void *solve_apart(void *argument)
{
  struct apart *apart = argument;
  struct table *table;
  pthread_barrier_wait(&apart->begin);
  solve_or_die(apart->contest, 1, &table);
  pthread_barrier_wait(&apart->end);
  table_free(table);
  return NULL;
}

static struct time apart_once(struct contest *contest)
{
  unsigned threads = contest->options->threads;
  struct apart apart = {.contest = contest};
  pthread_t *solvers = need_memory(threads, sizeof *solvers);
  solve_drop_memory();
  pthread_barrier_init(&apart.begin, NULL, threads + 1);
  pthread_barrier_init(&apart.end, NULL, threads + 1);
  for (unsigned i = 0; i < threads; i++)
    if (pthread_create(&solvers[i], NULL, solve_apart, &apart) != 0)
      die("cannot start a thread");
  pthread_barrier_wait(&apart.begin);
  struct time begin = time_now();
  pthread_barrier_wait(&apart.end);
  struct time took = time_since(begin);
  for (unsigned i = 0; i < threads; i++)
    pthread_join(solvers[i], NULL);
  pthread_barrier_destroy(&apart.begin);
  pthread_barrier_destroy(&apart.end);
  free(solvers);
  return took;
}

static struct time textbook_once(struct contest *contest)
{
  textbook_deinit(&contest->textbook);
  contest->textbook = (struct textbook){0};
  struct time begin = time_now();
  int status = textbook_solve(contest->arena, &contest->textbook);
  struct time took = time_since(begin);
  if (status < 0)
    die("the textbook on %s at n = %u: %s", contest->row->family->name, contest->row->asked_nodes,
        strerror(-status));
  return took;
}

static struct time limit_once(struct contest *contest)
{
  size_t bytes = table_bytes(contest->ours->nodes, contest->ours->width);
  struct time begin = time_now();
  void *written = limit_do(contest->arena, bytes);
  struct time took = time_since(begin);
  if (!written)
    die("out of memory for a table of %zu bytes", bytes);
  limit_undo(written, bytes);
  return took;
}

static const struct {
  struct time (*once)(struct contest *contest);
  unsigned state_bytes; /* what a thread of it touches, at most, for each state */
} contestants[CONTESTANTS] = {
    [CONTESTANT_OURS] = {ours_once, 4},          [CONTESTANT_THREADS] = {threads_once, 4},
    [CONTESTANT_APART] = {apart_once, 4},        [CONTESTANT_LIMIT] = {limit_once, 2},
    [CONTESTANT_TEXTBOOK] = {textbook_once, 10},
};

struct time contestant_run(struct contest *contest, enum contestant contestant)
{
  struct time (*once)(struct contest *) = contestants[contestant].once;
  warm_memory(arena_states(contest->arena) * contestants[contestant].state_bytes,
              contest->options->threads);
  struct time first = once(contest);
  double repeats = runs_ns / (first.wall + 1);
  if (repeats < 1)
    return first; /* long enough by itself; else it has warmed the caches, and others are timed */
  struct time sum = {0};
  uint32_t count = repeats > REPEATS_MAX ? REPEATS_MAX : (uint32_t)ceil(repeats);
  for (uint32_t i = 0; i < count; i++) {
    struct time took = once(contest);
    sum = (struct time){sum.wall + took.wall, sum.cpu + took.cpu};
  }
  return (struct time){sum.wall / count, sum.cpu / count};
}

void contestants_deinit(struct contest *contest)
{
  textbook_deinit(&contest->textbook);
  table_free(contest->ours);
  table_free(contest->threaded);
  arena_free(contest->arena);
}
