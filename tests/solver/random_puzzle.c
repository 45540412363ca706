#include "tests/solver/random_puzzle.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 200 };

uint32_t chance_below(struct chance *chance, uint32_t bound)
{
  assert(bound > 0);
  uint64_t mixed = chance->state += UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((mixed ^ mixed >> 31) % bound);
}

static struct arena *made(const struct puzzle *puzzle)
{
  struct arena *arena;
  struct complaint complaint;
  if (arena_new(puzzle, &arena, &complaint) == 0)
    return arena;
  fprintf(stderr, "a random puzzle was refused: %s\n", complaint.text);
  abort();
}

static void shuffle(struct chance *chance, int32_t *list, uint32_t count)
{
  for (uint32_t i = count; i > 1; i--) {
    uint32_t other = chance_below(chance, i);
    int32_t kept = list[i - 1];
    list[i - 1] = list[other];
    list[other] = kept;
  }
}

struct arena *random_graph(struct chance *chance, uint32_t nodes_max)
{
  bool linked[NODES_MOST][NODES_MOST] = {0};
  uint32_t first[NODES_MOST + 1], count = 0;
  int32_t neighbour[NODES_MOST * NODES_MOST];
  uint32_t nodes = 3 + chance_below(chance, nodes_max - 2);
  uint32_t percent = 5 + chance_below(chance, 60);
  for (uint32_t a = 0; a < nodes; a++) {
    for (uint32_t b = 0; b < a; b++)
      linked[a][b] = linked[b][a] = chance_below(chance, 100) < percent;
  }
  for (uint32_t a = 0; a < nodes; a++) {
    first[a] = count;
    for (uint32_t b = 0; b < nodes; b++) {
      if (linked[a][b])
        neighbour[count++] = (int32_t)b;
    }
    shuffle(chance, neighbour + first[a], count - first[a]);
  }
  first[nodes] = count;
  return made(&(struct puzzle){
      .game = GAME_GRAPH,
      .graph = {.nodes = nodes, .first = first, .neighbour = neighbour},
  });
}

struct arena *random_grid(struct chance *chance, uint32_t nodes_max)
{
  char cells[NODES_MOST];
  const char *row[NODES_MOST];
  uint32_t row_length[NODES_MOST];
  uint32_t cols = 2 + chance_below(chance, 4);
  uint32_t rows = 2 + chance_below(chance, nodes_max / cols + 1);
  uint32_t walls = chance_below(chance, 50);
  for (uint32_t i = 0; i < rows * cols; i++)
    cells[i] = chance_below(chance, 100) < walls ? '#' : '.';
  for (const char *mark = "MCF"; *mark; mark++) {
    uint32_t at;
    do
      at = chance_below(chance, rows * cols);
    while (cells[at] == 'M' || cells[at] == 'C');
    cells[at] = *mark;
  }
  for (uint32_t i = 0; i < rows; i++) {
    row[i] = cells + (size_t)i * cols;
    row_length[i] = cols;
  }
  return made(&(struct puzzle){
      .game = GAME_GRID,
      .grid = {.rows = rows,
               .row = row,
               .row_length = row_length,
               .jump = {1 + (int32_t)chance_below(chance, 5),
                        1 + (int32_t)chance_below(chance, 5)}},
  });
}

struct arena *random_arena(struct chance *chance, uint32_t nodes_max)
{
  uint32_t begin[2][NODES_MOST], end[2][NODES_MOST], to[2][NODES_MOST * NODES_MOST];
  uint64_t home[2][1] = {{0}}, barred[2][1] = {{0}};
  uint32_t nodes = 1 + chance_below(chance, nodes_max);
  for (int player = 0; player < 2; player++) {
    uint32_t percent = 5 + chance_below(chance, 40), count = 0;
    for (uint32_t node = 0; node < nodes; node++) {
      if (chance_below(chance, 12) == 0)
        barred[player][0] |= UINT64_C(1) << node;
      else if (chance_below(chance, 12) == 0)
        home[player][0] |= UINT64_C(1) << node;
    }
    for (uint32_t node = 0; node < nodes; node++) {
      begin[player][node] = count;
      for (uint32_t there = 0; there < nodes; there++) {
        bool open = !(barred[player][0] >> there & 1) && !(barred[player][0] >> node & 1);
        if (open && chance_below(chance, 100) < percent)
          to[player][count++] = there;
      }
      end[player][node] = count;
    }
  }
  struct arena parts = {
      .game = GAME_GRAPH,
      .nodes = nodes,
      .moves = {{begin[0], end[0], to[0]}, {begin[1], end[1], to[1]}},
      .home = {home[0], home[1]},
      .barred = {barred[0], barred[1]},
      .endless = OUTCOME_DRAW,
  };
  struct arena *arena;
  if (arena_new_from_parts(&parts, &arena) < 0)
    abort();
  return arena;
}
