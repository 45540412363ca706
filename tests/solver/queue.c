/* A queue of decided states, and for each state the moves that are not lost yet. */
#include "tests/solver/queue.h"

#include <stdlib.h>

struct queue_solver {
  const struct specimen *specimen;
  uint32_t nodes;
  uint32_t *cells; /* as in solver/table.h */
  uint32_t *moves_left;
  uint32_t *queue;
  size_t head, tail;
  uint32_t *before_end[2], *before[2]; /* by player and node, in steps of `nodes`: from where */
};

static size_t state_at(const struct queue_solver *solver, int turn, uint32_t mouse, uint32_t cat)
{
  return ((size_t)turn * solver->nodes + mouse) * solver->nodes + cat;
}

static void decide(struct queue_solver *solver, size_t state, uint32_t cell)
{
  solver->cells[state] = cell;
  solver->queue[solver->tail++] = (uint32_t)state;
}

static bool stands(const struct arena *arena, uint32_t mouse, uint32_t cat)
{
  return !node_in(arena->barred[PLAYER_MOUSE], mouse) && !node_in(arena->barred[PLAYER_CAT], cat);
}

static uint32_t over_cell(const struct arena *arena, uint32_t mouse, uint32_t cat)
{
  if (mouse == cat)
    return cell_of(PLAYER_CAT, 0);
  if (node_in(arena->home[PLAYER_MOUSE], mouse))
    return cell_of(PLAYER_MOUSE, 0);
  return node_in(arena->home[PLAYER_CAT], cat) ? cell_of(PLAYER_CAT, 0) : 0;
}

static void decide_ends(struct queue_solver *solver)
{
  const struct arena *arena = &solver->specimen->arena;
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t mouse = 0; mouse < solver->nodes; mouse++)
      for (uint32_t cat = 0; cat < solver->nodes; cat++) {
        uint32_t node = turn ? cat : mouse;
        size_t state = state_at(solver, turn, mouse, cat);
        solver->moves_left[state] = arena->moves[turn].end[node] - arena->moves[turn].begin[node];
        if (stands(arena, mouse, cat) && over_cell(arena, mouse, cat))
          decide(solver, state, over_cell(arena, mouse, cat));
      }
}

static void reach(struct queue_solver *solver, size_t state, int mover, uint32_t cell)
{
  if (solver->cells[state])
    return;
  if ((int)((cell - 1) & 1) == mover || --solver->moves_left[state] == 0)
    decide(solver, state, cell + 2);
}

static void list_before(struct queue_solver *solver, int player)
{
  uint32_t nodes = solver->nodes;
  uint32_t *end = zeroed(nodes, sizeof *end), *from = zeroed((size_t)nodes * nodes, sizeof *from);
  for (uint32_t start = 0; start < nodes; start++)
    for (uint32_t lead = 0; lead < nodes; lead++)
      if (solver->specimen->can[player][(size_t)start * nodes + lead])
        from[(size_t)lead * nodes + end[lead]++] = start;
  solver->before_end[player] = end;
  solver->before[player] = from;
}

static void spread(struct queue_solver *solver, size_t state)
{
  const struct arena *arena = &solver->specimen->arena;
  uint32_t nodes = solver->nodes, cell = solver->cells[state];
  int mover = state < (size_t)nodes * nodes; /* whoever moved into the state */
  uint32_t mouse = (uint32_t)(state / nodes % nodes), cat = (uint32_t)(state % nodes);
  uint32_t node = mover ? cat : mouse;
  for (uint32_t at = 0; at < solver->before_end[mover][node]; at++) {
    uint32_t from = solver->before[mover][(size_t)node * nodes + at];
    uint32_t from_mouse = mover ? mouse : from, from_cat = mover ? from : cat;
    if (stands(arena, from_mouse, from_cat))
      reach(solver, state_at(solver, mover, from_mouse, from_cat), mover, cell);
  }
}

uint32_t *solve_by_queue(const struct specimen *specimen)
{
  uint32_t nodes = specimen->arena.nodes;
  size_t states = 2 * (size_t)nodes * nodes;
  struct queue_solver solver = {.specimen = specimen,
                                .nodes = nodes,
                                .cells = zeroed(states, sizeof(uint32_t)),
                                .moves_left = zeroed(states, sizeof(uint32_t)),
                                .queue = zeroed(states, sizeof(uint32_t))};
  for (int player = 0; player < 2; player++)
    list_before(&solver, player);
  decide_ends(&solver);
  while (solver.head < solver.tail)
    spread(&solver, solver.queue[solver.head++]);
  for (int player = 0; player < 2; player++) {
    free(solver.before_end[player]);
    free(solver.before[player]);
  }
  free(solver.moves_left);
  free(solver.queue);
  return solver.cells;
}
