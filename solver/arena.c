/* graph.c and grid.c make the arenas of the two games; any other arena is copied from its parts. */
#include "solver/arena.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "solver/arena_parts.h"
#include "solver/graph.h"
#include "solver/grid.h"

int arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint)
{
  return puzzle->game == GAME_GRAPH ? graph_arena_new(puzzle, arena, complaint)
                                    : grid_arena_new(puzzle, arena, complaint);
}

void arena_free(struct arena *arena)
{
  free(arena);
}

static uint64_t count_targets(const struct moves *moves, uint32_t nodes)
{
  uint64_t targets = 0;
  for (uint32_t node = 0; node < nodes; node++)
    targets += moves->end[node] - moves->begin[node];
  return targets;
}

static uint32_t copy_moves(const struct moves *moves, uint32_t at, enum player player,
                           struct arena_parts *parts)
{
  for (uint32_t node = 0; node < parts->arena->nodes; node++) {
    parts->begin[player][node] = at;
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++) {
      assert(moves->to[i] < parts->arena->nodes);
      assert(i == moves->begin[node] || moves->to[i - 1] < moves->to[i]);
      parts->to[at++] = moves->to[i];
    }
    parts->end[player][node] = at;
  }
  return at;
}

int arena_new_from_parts(const struct arena *from, struct arena **arena)
{
  uint64_t targets = count_targets(&from->moves[PLAYER_MOUSE], from->nodes) +
                     count_targets(&from->moves[PLAYER_CAT], from->nodes);
  assert(targets <= UINT32_MAX);
  struct arena_parts parts;
  int status = arena_parts_new(from->nodes, targets, false, &parts);
  if (status < 0)
    return status;
  size_t set_bytes = (from->nodes + 63) / 64 * sizeof(uint64_t);
  uint32_t at = 0;
  for (int player = 0; player < 2; player++) {
    at = copy_moves(&from->moves[player], at, player, &parts);
    memcpy(parts.home[player], from->home[player], set_bytes);
    memcpy(parts.barred[player], from->barred[player], set_bytes);
  }
  struct arena *copy = parts.arena;
  copy->game = from->game;
  copy->rows = from->rows;
  copy->cols = from->cols;
  copy->mirrored = from->mirrored;
  copy->endless = from->endless;
  copy->limit_plies = from->limit_plies;
  copy->start = from->start;
  *arena = copy;
  return 0;
}

uint64_t arena_states(const struct arena *arena)
{
  return 2 * (uint64_t)arena->nodes * arena->nodes;
}

static int check_place(const struct arena *arena, const char *name, enum player player,
                       uint32_t node, struct complaint *complaint)
{
  if (node >= arena->nodes)
    return complain(complaint, "state.%s is %u, but the nodes are 0..%u", name, node,
                    arena->nodes - 1);
  if (!node_in(arena->barred[player], node))
    return 0;
  if (arena->game == GAME_GRID)
    return complain(complaint, "state.%s is %u, a wall (row %u, column %u)", name, node,
                    node / arena->cols, node % arena->cols);
  return complain(complaint, "state.%s is %u, the hole, where the %s cannot go", name, node, name);
}

int arena_check_state(const struct arena *arena, const struct state *state,
                      struct complaint *complaint)
{
  int status = check_place(arena, "mouse", PLAYER_MOUSE, state->mouse, complaint);
  return status < 0 ? status : check_place(arena, "cat", PLAYER_CAT, state->cat, complaint);
}
