/*
 * Solving a puzzle of any size: number the nodes, fill both attractors, write the table.
 *
 * With one thread the attractors are filled one after the other, and only one has its bits in
 * memory at a time. With two, each thread has one; the thread that is done first helps the other;
 * both write.
 */
#include "solver/engine/level.h"

#include "solver/engine/large.h"

#include <errno.h>

#include "solver/engine/forall.h"
#include "solver/engine/layers.h"
#include "solver/engine/table_writer.h"
#include "solver/system.h"

/* Below, starting a thread costs more than it gives. */
enum { TWO_THREADS_FROM_NODES = 2000 };

struct large {
  struct solving *solving;
  const struct engine_options *forced;
  struct order order;
  struct lists lists;
  struct move_sets sets;
  struct attractor attractors[2]; /* by winner */
  struct team teams[2];           /* likewise */
  struct thread_pair pair, writing;
  unsigned threads;
  pthread_t other;
};

static size_t worker_bytes(const struct lists *lists)
{
  return (size_t)lists->lines * LINE_BYTES * 4 +
         (size_t)lists->nodes * (LINE_BYTES + 2 * sizeof(uint32_t)) +
         (size_t)lists->lines * lists->lines * 2 * sizeof(uint32_t);
}

static int worker_init(struct worker *worker, struct solving *solving, const struct lists *lists)
{
  worker->pool.solving = solving;
  size_t row_words = (size_t)lists->lines * LINE_WORDS;
  uint64_t *rows = worker->rows = solving_alloc(solving, worker_bytes(lists));
  if (!rows)
    return solving->error;
  for (unsigned at = 0; at < 2; at++, rows += 2 * row_words)
    worker->candidates[at] = (struct candidates){rows, rows + row_words};
  worker->pushed = rows;
  worker->pushed_rows = (uint32_t *)(worker->pushed + (size_t)lists->nodes * LINE_WORDS);
  worker->pushed_at = worker->pushed_rows + lists->nodes;
  worker->fresh[SIDE_EXISTS] = worker->pushed_at + lists->nodes;
  worker->fresh[SIDE_FORALL] = worker->fresh[SIDE_EXISTS] + (size_t)lists->lines * lists->lines;
  memset(worker->pushed_at, 0xff, lists->nodes * sizeof *worker->pushed_at);
  return 0;
}

/* All but the pool, whose chunks are the logs. */
static void worker_drop(struct worker *worker, const struct lists *lists)
{
  solving_free(worker->pool.solving, worker->rows, worker_bytes(lists));
  solving_free(worker->pool.solving, worker->tiles, forall_tiles_worker_bytes(lists));
  worker->rows = worker->tiles = NULL;
}

static int run_winner(struct large *large, enum player winner)
{
  struct team *team = &large->teams[winner];
  struct attractor *attractor = &large->attractors[winner];
  team->count = large->threads;
  team->thread = large->threads == 2 ? (unsigned)winner : 0;
  team->pair = large->threads == 2 ? &large->pair : NULL;
  int error = 0;
  for (unsigned thread = 0; thread < team->count && !error; thread++)
    error = worker_init(&team->workers[thread], large->solving, &large->lists);
  if (!error)
    error = attractor_init(attractor, large->solving, large->forced, &large->lists, &large->sets,
                           winner);
  if (!error)
    error = layers_run(attractor, team);
  return error;
}

static void drop_winner(struct large *large, enum player winner)
{
  attractor_drop_bits(&large->attractors[winner]);
  for (unsigned thread = 0; thread < large->teams[winner].count; thread++)
    worker_drop(&large->teams[winner].workers[thread], &large->lists);
}

static int run_alone(struct large *large)
{
  int error = run_winner(large, PLAYER_MOUSE);
  drop_winner(large, PLAYER_MOUSE);
  if (error)
    return error;
  error = run_winner(large, PLAYER_CAT);
  drop_winner(large, PLAYER_CAT);
  return error;
}

/* The other thread's life: the cat's attractor, whatever is left of the mouse's, half the table. */
static void *run_other(void *argument)
{
  struct large *large = argument;
  run_winner(large, PLAYER_CAT);
  thread_pair_retire(&large->pair, PLAYER_CAT);
  thread_pair_help(&large->writing, PLAYER_CAT);
  return NULL;
}

static int run_both(struct large *large)
{
  run_winner(large, PLAYER_MOUSE);
  thread_pair_retire(&large->pair, PLAYER_MOUSE);
  drop_winner(large, PLAYER_MOUSE);
  drop_winner(large, PLAYER_CAT);
  return large->solving->error;
}

static unsigned choose_threads(const struct solving *solving, const struct engine_options *forced,
                               uint32_t nodes)
{
  unsigned threads = solving->options->threads;
  if (nodes < TWO_THREADS_FROM_NODES && !forced->share_always)
    return 1;
  if (!threads)
    threads = system_processors();
  return threads > 1 ? 2 : 1;
}

static int solve_numbered(struct large *large, struct table **table)
{
  large->threads = choose_threads(large->solving, large->forced, large->lists.nodes);
  if (large->threads == 2) {
    thread_pair_init(&large->pair, PAIR_BUSY);
    thread_pair_init(&large->writing, PAIR_IDLE);
    if (pthread_create(&large->other, NULL, run_other, large) != 0) {
      thread_pair_deinit(&large->pair);
      thread_pair_deinit(&large->writing);
      large->threads = 1;
    }
  }
  if (large->threads == 1) {
    int error = run_alone(large);
    return error ? error : table_write(large->attractors, NULL, 1, table);
  }
  int error = run_both(large);
  if (!error)
    error = table_write(large->attractors, &large->writing, large->threads, table);
  thread_pair_retire(&large->writing, PLAYER_MOUSE);
  pthread_join(large->other, NULL);
  thread_pair_deinit(&large->pair);
  thread_pair_deinit(&large->writing);
  return error;
}

static void large_deinit(struct large *large)
{
  for (int winner = 0; winner < 2; winner++) {
    attractor_deinit(&large->attractors[winner]);
    for (unsigned thread = 0; thread < large->teams[winner].count; thread++) {
      worker_drop(&large->teams[winner].workers[thread], &large->lists);
      chunk_pool_deinit(&large->teams[winner].workers[thread].pool);
    }
  }
  move_sets_deinit(&large->sets, large->solving, &large->lists);
  lists_deinit(&large->lists, large->solving);
  order_deinit(&large->order, large->solving);
}

int large_solve(const struct arena *arena, struct solving *solving,
                const struct engine_options *forced, struct table **table)
{
  struct large large = {.solving = solving, .forced = forced};
  int error = order_init(&large.order, solving, forced, arena);
  if (!error)
    error = lists_init(&large.lists, solving, arena, &large.order);
  if (!error)
    error = move_sets_init(&large.sets, solving, forced, &large.lists);
  if (!error)
    error = solve_numbered(&large, table);
  large_deinit(&large);
  return error;
}
