/*
 * Depth-first from the mouse's home, neighbours of low degree first: a leaf lies beside its parent,
 * and the longest branch goes straight on. In a tree about every other move is then one place long.
 *
 * The arena's own numbering is kept where it does well already (grids, paths), where moves are too
 * many for any numbering to help, and where the new one does not help much: renumbering costs a
 * second turn of the whole table when it is written.
 */
#include "solver/level.h"

#include "solver/order.h"

#include <string.h>

#include "solver/shift_plan.h"

/*
 * In shifts for 64 places: what is good enough to keep; what a new numbering must come to. A graph
 * with more moves for 64 places than the last is not looked at.
 */
enum { KEEP_SHIFTS = 24, RENUMBER_SHIFTS = 64, MOVES_MAX = 6 * 64 };

struct walk {
  const struct moves *moves;
  struct order *order;
  uint32_t nodes, count; /* placed so far */
  uint32_t *stack, depth;
};

static uint32_t degree(const struct moves *moves, uint32_t node)
{
  return moves->end[node] - moves->begin[node];
}

/* Pushes what is not placed yet, sorted so that the lowest degree comes off first. */
static void push_neighbours(struct walk *walk, uint32_t node)
{
  uint32_t bottom = walk->depth;
  for (uint32_t at = walk->moves->begin[node]; at < walk->moves->end[node]; at++) {
    uint32_t next = walk->moves->to[at], slot = walk->depth;
    if (walk->order->place_of[next] != UINT32_MAX)
      continue;
    for (; slot > bottom && degree(walk->moves, walk->stack[slot - 1]) < degree(walk->moves, next);
         slot--)
      walk->stack[slot] = walk->stack[slot - 1];
    walk->stack[slot] = next;
    walk->depth++;
  }
}

static void walk_from(struct walk *walk, uint32_t root)
{
  walk->stack[walk->depth++] = root;
  while (walk->depth) {
    uint32_t node = walk->stack[--walk->depth];
    if (walk->order->place_of[node] != UINT32_MAX)
      continue;
    walk->order->place_of[node] = walk->count;
    walk->order->node_at[walk->count++] = node;
    push_neighbours(walk, node);
  }
}

static void walk_all(struct walk *walk, const struct arena *arena)
{
  memset(walk->order->place_of, 0xff, arena->nodes * sizeof(uint32_t));
  for (uint32_t node = 0; node < arena->nodes; node++)
    if (node_in(arena->home[PLAYER_MOUSE], node))
      walk_from(walk, node);
  for (uint32_t node = 0; node < arena->nodes; node++)
    walk_from(walk, node);
}

static int try_walk(struct order *order, struct job *job, const struct arena *arena, uint64_t edges)
{
  size_t stack_bytes = (edges + arena->nodes + 1) * sizeof(uint32_t);
  struct walk walk = {.moves = &arena->moves[PLAYER_MOUSE],
                      .order = order,
                      .nodes = arena->nodes,
                      .stack = job_alloc_dirty(job, stack_bytes)};
  order->bytes = 2 * (size_t)arena->nodes * sizeof(uint32_t);
  order->node_at = job_alloc_dirty(job, order->bytes);
  if (walk.stack && order->node_at) {
    order->place_of = order->node_at + arena->nodes;
    walk_all(&walk, arena);
  }
  job_free(job, walk.stack, stack_bytes);
  return job_over(job) ? job->error : 0;
}

/* Is there hope, by the number of moves alone? */
static bool few_moves(const struct engine_options *options, const struct arena *arena,
                      uint64_t edges)
{
  if (options->order != ENGINE_ORDER_AUTO)
    return options->order == ENGINE_ORDER_RENUMBER;
  return edges * 64 <= (uint64_t)MOVES_MAX * arena->nodes;
}

int order_init(struct order *order, struct job *job, const struct engine_options *options,
               const struct arena *arena)
{
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  uint64_t edges = 0, kept, renumbered;
  *order = (struct order){0};
  for (uint32_t node = 0; node < arena->nodes; node++)
    edges += degree(moves, node);
  if (!few_moves(options, arena, edges))
    return 0;
  if (shift_count(job, moves, arena->nodes, NULL, NULL, &kept) < 0)
    return job->error;
  if (kept * 64 <= (uint64_t)KEEP_SHIFTS * arena->nodes && options->order == ENGINE_ORDER_AUTO)
    return 0;
  if (try_walk(order, job, arena, edges) < 0 ||
      shift_count(job, moves, arena->nodes, order->node_at, order->place_of, &renumbered) < 0) {
    order_deinit(order, job);
    return job->error;
  }
  bool helps =
      renumbered * 2 <= kept && renumbered * 64 <= (uint64_t)RENUMBER_SHIFTS * arena->nodes;
  if (!helps && options->order != ENGINE_ORDER_RENUMBER)
    order_deinit(order, job);
  return 0;
}

void order_deinit(struct order *order, struct job *job)
{
  job_free(job, order->node_at, order->bytes);
  *order = (struct order){0};
}
