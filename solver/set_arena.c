#include "solver/set_arena.h"

#include <assert.h>
#include <string.h>

static uint64_t bit(uint32_t node)
{
  return UINT64_C(1) << node;
}

static void set_moves(const struct arena *arena, enum player player, struct set_arena *sets)
{
  const struct moves *lists = &arena->moves[player];
  uint64_t *moves = sets->moves[player], *before = sets->before[player];
  memset(before, 0, arena->nodes * sizeof *before);
  for (uint32_t node = 0; node < arena->nodes; node++) {
    uint64_t set = 0;
    for (uint32_t at = lists->begin[node]; at < lists->end[node]; at++) {
      set |= bit(lists->to[at]);
      before[lists->to[at]] |= bit(node);
    }
    moves[node] = set;
  }
  sets->home[player] = arena->home[player][0];
  sets->barred[player] = arena->barred[player][0];
}

void set_arena_from(const struct arena *arena, struct set_arena *sets)
{
  assert(arena->nodes <= SET_NODES_MAX);
  sets->nodes = arena->nodes;
  sets->mouse = arena->start.mouse;
  sets->cat = arena->start.cat;
  set_moves(arena, PLAYER_MOUSE, sets);
  set_moves(arena, PLAYER_CAT, sets);
}

void set_arena_graph(uint32_t nodes, const uint64_t *neighbours, uint32_t hole, uint32_t mouse,
                     uint32_t cat, struct set_arena *sets)
{
  sets->nodes = nodes;
  sets->mouse = mouse;
  sets->cat = cat;
  for (uint32_t node = 0; node < nodes; node++) {
    sets->moves[PLAYER_MOUSE][node] = sets->before[PLAYER_MOUSE][node] = neighbours[node];
    sets->moves[PLAYER_CAT][node] = neighbours[node] & ~bit(hole);
    sets->before[PLAYER_CAT][node] = neighbours[node];
  }
  sets->before[PLAYER_CAT][hole] = 0;
  sets->home[PLAYER_MOUSE] = sets->barred[PLAYER_CAT] = bit(hole);
  sets->home[PLAYER_CAT] = sets->barred[PLAYER_MOUSE] = 0;
}
