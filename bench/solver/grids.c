/* Families laid out on a grid: grid graph, mazes, and the grid game. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/solver/families.h"

enum { WALL_PERCENT = 20 };

/* Row by row; the last row may be short. */
struct cells {
  uint32_t count, columns;
};

static struct cells cells_about(uint32_t count)
{
  uint32_t rows = (uint32_t)sqrt(count);
  return (struct cells){count, (count + rows - 1) / rows};
}

/* Neighbouring pairs of cells, as edges. */
static struct edge *grid_edges(struct cells cells, uint32_t *count)
{
  struct edge *edges = need_memory(2 * (size_t)cells.count, sizeof *edges);
  *count = 0;
  for (uint32_t cell = 0; cell < cells.count; cell++) {
    if ((cell + 1) % cells.columns != 0 && cell + 1 < cells.count)
      edges[(*count)++] = (struct edge){cell, cell + 1};
    if (cell + cells.columns < cells.count)
      edges[(*count)++] = (struct edge){cell, cell + cells.columns};
  }
  return edges;
}

/* Union-find with path halving (Tarjan and van Leeuwen 1984). */
static uint32_t find_root(uint32_t *parent, uint32_t node)
{
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

static uint32_t *new_parents(uint32_t count)
{
  uint32_t *parent = need_memory(count, sizeof *parent);
  for (uint32_t node = 0; node < count; node++)
    parent[node] = node;
  return parent;
}

static void shuffle_edges(struct random *random, struct edge *edges, uint32_t count)
{
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = random_below(random, i);
    struct edge edge = edges[i - 1];
    edges[i - 1] = edges[j];
    edges[j] = edge;
  }
}

void make_maze(uint32_t nodes, uint32_t unused, struct random *random, struct specimen *specimen)
{
  (void)unused;
  uint32_t count;
  struct edge *edges = grid_edges(cells_about(nodes), &count);
  shuffle_edges(random, edges, count);
  uint32_t *parent = new_parents(nodes);
  struct draft draft;
  draft_init(&draft, nodes);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t a = find_root(parent, edges[i].from), b = find_root(parent, edges[i].to);
    if (a == b)
      continue;
    parent[a] = b;
    draft_join(&draft, edges[i].from, edges[i].to);
  }
  free(parent);
  free(edges);
  draft_finish(&draft, random, specimen);
}

/* The unseen cells beside `cell`. */
static uint32_t unseen_beside(struct cells cells, uint32_t cell, const uint8_t *seen,
                              uint32_t beside[static 4])
{
  uint32_t count = 0, column = cell % cells.columns;
  if (column > 0 && !seen[cell - 1])
    beside[count++] = cell - 1;
  if (column + 1 < cells.columns && cell + 1 < cells.count && !seen[cell + 1])
    beside[count++] = cell + 1;
  if (cell >= cells.columns && !seen[cell - cells.columns])
    beside[count++] = cell - cells.columns;
  if (cell + cells.columns < cells.count && !seen[cell + cells.columns])
    beside[count++] = cell + cells.columns;
  return count;
}

void make_corridors(uint32_t nodes, uint32_t unused, struct random *random,
                    struct specimen *specimen)
{
  (void)unused;
  struct cells cells = cells_about(nodes);
  uint8_t *seen = need_memory(nodes, 1);
  uint32_t *stack = need_memory(nodes, sizeof *stack);
  uint32_t depth = 1, beside[4];
  struct draft draft;
  draft_init(&draft, nodes);
  seen[0] = 1;
  while (depth > 0) {
    uint32_t cell = stack[depth - 1], count = unseen_beside(cells, cell, seen, beside);
    if (count == 0) {
      depth--;
      continue;
    }
    uint32_t next = beside[random_below(random, count)];
    draft_join(&draft, cell, next);
    seen[next] = 1;
    stack[depth++] = next;
  }
  free(stack);
  free(seen);
  draft_finish(&draft, random, specimen);
}

static uint8_t *random_walls(uint32_t count, struct random *random)
{
  uint8_t *wall = need_memory(count, 1);
  for (uint32_t cell = 0; cell < count; cell++)
    wall[cell] = random_below(random, 100) < WALL_PERCENT;
  return wall;
}

/* The root of the most cells. */
static uint32_t largest_part(uint32_t *parent, uint32_t count)
{
  uint32_t *size = need_memory(count, sizeof *size), largest = 0;
  for (uint32_t cell = 0; cell < count; cell++)
    size[find_root(parent, cell)]++;
  for (uint32_t cell = 0; cell < count; cell++)
    if (size[cell] > size[largest])
      largest = cell;
  free(size);
  return largest;
}

/* So many cells that `nodes` of them are open. */
void make_grid_graph(uint32_t nodes, uint32_t unused, struct random *random,
                     struct specimen *specimen)
{
  (void)unused;
  struct cells cells = cells_about(nodes * 100 / (100 - WALL_PERCENT));
  uint8_t *wall = random_walls(cells.count, random);
  uint32_t count, *parent = new_parents(cells.count);
  struct edge *edges = grid_edges(cells, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!wall[edges[i].from] && !wall[edges[i].to])
      parent[find_root(parent, edges[i].from)] = find_root(parent, edges[i].to);

  uint32_t largest = largest_part(parent, cells.count), inside = 0;
  uint32_t *number = need_memory(cells.count, sizeof *number);
  for (uint32_t cell = 0; cell < cells.count; cell++)
    if (find_root(parent, cell) == largest)
      number[cell] = inside++;
  struct draft draft;
  draft_init(&draft, inside);
  for (uint32_t i = 0; i < count; i++)
    if (!wall[edges[i].from] && !wall[edges[i].to] && find_root(parent, edges[i].from) == largest)
      draft_join(&draft, number[edges[i].from], number[edges[i].to]);
  free(number);
  free(edges);
  free(parent);
  free(wall);
  draft_finish(&draft, random, specimen);
}

void make_grid_game(uint32_t nodes, uint32_t jump, struct random *random, struct specimen *specimen)
{
  uint32_t side = (uint32_t)lround(sqrt(nodes));
  char *text = need_memory(nodes, 1);
  const char **row = need_memory(side, sizeof *row);
  uint32_t *length = need_memory(side, sizeof *length);
  uint8_t *wall = random_walls(nodes, random);
  for (uint32_t cell = 0; cell < nodes; cell++)
    text[cell] = wall[cell] ? '#' : '.';
  free(wall);
  for (const char *mark = "MCF"; *mark; mark++) {
    uint32_t cell;
    do
      cell = random_below(random, nodes);
    while (text[cell] != '.');
    text[cell] = *mark;
  }
  for (uint32_t i = 0; i < side; i++) {
    row[i] = text + (size_t)i * side;
    length[i] = side;
  }
  *specimen = (struct specimen){
      .puzzle = {.game = GAME_GRID, .grid = {side, row, length, {(int32_t)jump, (int32_t)jump}}},
      .memory = {text, row, length},
  };
}
