/*
 * Two walks from the mouse's home are tried, and the one whose moves make fewer shifts is taken:
 * - depth-first, neighbours of low degree first: a leaf lies beside its parent, and the longest
 *   branch goes straight on; in a tree about every other move is then one place long;
 * - breadth-first: moves lead from one ring to the next, and in a grid they are alike for long.
 *
 * The arena's own numbering is kept where it does well already, where moves are too many for any
 * numbering to help, and where neither walk helps much: renumbering costs a second turn of the
 * whole table when it is written.
 */
#include "solver/engine/level.h"

#include "solver/engine/order.h"

#include <string.h>

#include "solver/engine/shift_plan.h"

/*
 * In shifts for 64 places: what is good enough to keep; what a new numbering must come to. A graph
 * with more moves for 64 places than the last is not looked at.
 */
enum { KEEP_SHIFTS = 24, RENUMBER_SHIFTS = 64, MOVES_MAX = 6 * 64 };

struct walk {
  struct solving *solving;
  const struct arena *arena;
  const struct moves *moves;
  uint32_t *node_at, *place_of;
  uint32_t count;         /* placed so far */
  uint32_t *stack, depth; /* depth-first only */
};

enum { NOT_PLACED = -1 };

static bool is_placed(const struct walk *walk, uint32_t node)
{
  return walk->place_of[node] != (uint32_t)NOT_PLACED;
}

static void place(struct walk *walk, uint32_t node)
{
  walk->place_of[node] = walk->count;
  walk->node_at[walk->count++] = node;
}

static uint32_t degree(const struct moves *moves, uint32_t node)
{
  return moves->end[node] - moves->begin[node];
}

/* Degrees from here on count as the same. */
enum { DEGREES = 16 };

static uint32_t degree_class(const struct walk *walk, uint32_t node)
{
  return least(degree(walk->moves, node), DEGREES - 1);
}

/* Pushes what is not placed yet by counting sort, so that the lowest degree comes off first. */
static void push_neighbours(struct walk *walk, uint32_t node)
{
  const uint32_t *begin = walk->moves->to + walk->moves->begin[node];
  const uint32_t *end = walk->moves->to + walk->moves->end[node];
  uint32_t slots[DEGREES] = {0}; /* by degree: how many, then where the next is put */
  for (const uint32_t *next = begin; next < end; next++)
    slots[degree_class(walk, *next)] += !is_placed(walk, *next);
  for (uint32_t at = DEGREES; at-- > 0;) {
    uint32_t count = slots[at];
    slots[at] = walk->depth;
    walk->depth += count;
  }
  for (const uint32_t *next = begin; next < end; next++)
    if (!is_placed(walk, *next))
      walk->stack[slots[degree_class(walk, *next)]++] = *next;
}

static void walk_depth_first(struct walk *walk, uint32_t root)
{
  walk->stack[walk->depth++] = root;
  while (walk->depth && !solving_over(walk->solving)) {
    uint32_t node = walk->stack[--walk->depth];
    if (is_placed(walk, node))
      continue;
    place(walk, node);
    push_neighbours(walk, node);
  }
}

static void walk_breadth_first(struct walk *walk, uint32_t root)
{
  if (is_placed(walk, root))
    return;
  uint32_t next = walk->count;
  for (place(walk, root); next < walk->count; next++) {
    uint32_t node = walk->node_at[next];
    for (uint32_t at = walk->moves->begin[node]; at < walk->moves->end[node]; at++)
      if (!is_placed(walk, walk->moves->to[at]))
        place(walk, walk->moves->to[at]);
  }
}

typedef void walk_from(struct walk *walk, uint32_t root);

static void walk_all(struct walk *walk, walk_from *from)
{
  uint32_t nodes = walk->arena->nodes;
  walk->count = 0;
  memset(walk->place_of, NOT_PLACED, nodes * sizeof *walk->place_of);
  for (uint32_t node = 0; node < nodes; node++)
    if (node_in(walk->arena->home[PLAYER_MOUSE], node))
      from(walk, node);
  for (uint32_t node = 0; node < nodes; node++)
    from(walk, node);
}

/* How many shifts a walk makes. 0 or a negative errno. */
static int walk_count(struct walk *walk, walk_from *from, uint64_t *shifts)
{
  walk_all(walk, from);
  if (solving_over(walk->solving))
    return walk->solving->error;
  return shift_count(walk->solving, walk->moves, walk->arena->nodes, walk->node_at, walk->place_of,
                     shifts);
}

/* Both walks; leaves the better one in place. 0 or a negative errno. */
static int walk_best(struct walk *walk, uint64_t *shifts)
{
  uint64_t deep = 0;
  int error = walk_count(walk, walk_depth_first, &deep);
  if (!error)
    error = walk_count(walk, walk_breadth_first, shifts);
  if (error)
    return error;
  if (deep >= *shifts)
    return 0;
  *shifts = deep;
  walk_all(walk, walk_depth_first);
  return 0;
}

static int order_find(struct order *order, struct solving *solving, const struct arena *arena,
                      uint64_t edges, uint64_t *shifts)
{
  size_t stack_bytes = (edges + arena->nodes + 1) * sizeof(uint32_t);
  struct walk walk = {.solving = solving, .arena = arena, .moves = &arena->moves[PLAYER_MOUSE]};
  order->bytes = 2 * (size_t)arena->nodes * sizeof(uint32_t);
  order->node_at = walk.node_at = solving_alloc_dirty(solving, order->bytes);
  walk.stack = solving_alloc_dirty(solving, stack_bytes);
  if (walk.node_at && walk.stack) {
    order->place_of = walk.place_of = walk.node_at + arena->nodes;
    walk_best(&walk, shifts);
  }
  solving_free(solving, walk.stack, stack_bytes);
  return solving_over(solving) ? solving->error : 0;
}

/* Is there hope, by the number of moves alone? */
static bool few_moves(const struct engine_options *options, const struct arena *arena,
                      uint64_t edges)
{
  if (options->order != ENGINE_ORDER_AUTO)
    return options->order == ENGINE_ORDER_RENUMBER;
  return edges * 64 <= (uint64_t)MOVES_MAX * arena->nodes;
}

int order_init(struct order *order, struct solving *solving, const struct engine_options *options,
               const struct arena *arena)
{
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  bool forced = options->order == ENGINE_ORDER_RENUMBER;
  uint64_t edges = 0, kept = 0, renumbered = 0;
  *order = (struct order){0};
  for (uint32_t node = 0; node < arena->nodes; node++)
    edges += degree(moves, node);
  if (!few_moves(options, arena, edges))
    return 0;
  if (shift_count(solving, moves, arena->nodes, NULL, NULL, &kept) < 0)
    return solving->error;
  if (kept * 64 <= (uint64_t)KEEP_SHIFTS * arena->nodes && !forced)
    return 0;
  int error = order_find(order, solving, arena, edges, &renumbered);
  bool helps =
      renumbered * 2 <= kept && renumbered * 64 <= (uint64_t)RENUMBER_SHIFTS * arena->nodes;
  if (error || (!helps && !forced))
    order_deinit(order, solving);
  return error;
}

void order_deinit(struct order *order, struct solving *solving)
{
  solving_free(solving, order->node_at, order->bytes);
  *order = (struct order){0};
}
