/*
 * A message has at most 64 MiB, of which an edge takes a byte at least for each of its ends. Only puzzles of up to
 * SOLVE_NODES_MAX nodes come as far as numbering and lists. Those are measured with plain instructions.
 */
#define ENGINE_LEVEL plain
#include "solver/engine/level.h"

#include "bench/solver/worst.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/solver/specimen.h"
#include "solver/arena.h"
#include "solver/engine/lists.h"
#include "solver/engine/order.h"
#include "solver/id.h"

struct worst {
  const char *name;
  uint32_t nodes, parameter;
  void (*make)(const struct worst *worst, struct specimen *specimen);
};

static void finish(struct draft *draft, struct specimen *specimen)
{
  struct random random = {1};
  draft_finish(draft, &random, specimen);
}

/* Each node beside `parameter` hubs: a star, or a complete bipartite graph. */
static void make_hubs(const struct worst *worst, struct specimen *specimen)
{
  struct draft draft;
  draft_init(&draft, worst->nodes);
  for (uint32_t node = worst->parameter; node < worst->nodes; node++)
    for (uint32_t hub = 0; hub < worst->parameter; hub++)
      draft_join(&draft, node, hub);
  finish(&draft, specimen);
}

static void make_path(const struct worst *worst, struct specimen *specimen)
{
  struct draft draft;
  draft_init(&draft, worst->nodes);
  for (uint32_t node = 1; node < worst->nodes; node++)
    draft_join(&draft, node - 1, node);
  finish(&draft, specimen);
}

/* One row, or with a parameter of 0 one column, of free cells and jumps as long as it. */
static void make_line(const struct worst *worst, struct specimen *specimen)
{
  uint32_t cols = worst->parameter ? worst->nodes : 1, rows = worst->nodes / cols;
  char *cells = need_memory(worst->nodes, 1);
  const char **row = need_memory(rows, sizeof *row);
  uint32_t *length = need_memory(rows, sizeof *length);
  memset(cells, '.', worst->nodes);
  memcpy(cells, "MCF", 3);
  for (uint32_t at = 0; at < rows; at++) {
    row[at] = cells + (size_t)at * cols;
    length[at] = cols;
  }
  int32_t jump = (int32_t)worst->nodes;
  *specimen =
      (struct specimen){.puzzle = {.game = GAME_GRID, .grid = {rows, row, length, {jump, jump}}},
                        .memory = {cells, row, length}};
}

static const struct worst worsts[] = {
    {"star", 7000000, 1, make_hubs},
    {"star", SOLVE_NODES_MAX, 1, make_hubs},
    {"hubs", SOLVE_NODES_MAX, 8, make_hubs},
    {"bipartite", 6600, 3300, make_hubs},
    {"path", 6000000, 0, make_path},
    {"path", SOLVE_NODES_MAX, 0, make_path},
    {"row", 8000, 1, make_line},
    {"column", 8000, 0, make_line},
    {"row", 60000000, 1, make_line},
};

static uint64_t message_bytes(const struct puzzle *puzzle)
{
  if (puzzle->game == GAME_GRID)
    return (uint64_t)puzzle->grid.rows * (puzzle->grid.row_length[0] + (uint64_t)1);
  uint64_t bytes = puzzle->graph.nodes;
  for (uint32_t at = 0; at < puzzle->graph.first[puzzle->graph.nodes]; at++) {
    int32_t neighbour = puzzle->graph.neighbour[at];
    bytes += neighbour < 128 ? 1 : neighbour < 256 ? 2 : neighbour < 65536 ? 3 : 5;
  }
  return bytes;
}

static void print_since(uint64_t begin, uint64_t bytes)
{
  double ns = (double)(cpu_ns() - begin);
  printf(" %7.0f ms %8.1f", ns / 1e6, ns / (double)bytes);
}

static void measure_engine(const struct arena *arena, uint64_t bytes)
{
  const struct engine_options options = {0};
  struct solving solving;
  struct order order;
  struct lists lists;
  solving_init(&solving, NULL);
  uint64_t begin = cpu_ns();
  if (order_init(&order, &solving, &options, arena) < 0)
    die("out of memory");
  print_since(begin, bytes);
  begin = cpu_ns();
  if (lists_init(&lists, &solving, arena, &order) < 0)
    die("out of memory");
  print_since(begin, bytes);
  lists_deinit(&lists, &solving);
  order_deinit(&order, &solving);
}

static void measure(const struct worst *worst)
{
  struct specimen specimen;
  struct arena *arena = NULL;
  struct complaint complaint = {.text = "out of memory"};
  struct id id;
  worst->make(worst, &specimen);
  uint64_t bytes = message_bytes(&specimen.puzzle), begin = cpu_ns();
  int status = arena_new(&specimen.puzzle, &arena, &complaint);
  printf("%-10s %9u nodes %6.2f MB", worst->name, worst->nodes, (double)bytes / 1e6);
  print_since(begin, bytes);
  if (status == 0) {
    begin = cpu_ns();
    arena_id(arena, &id);
    print_since(begin, bytes);
    if (arena->nodes <= SOLVE_NODES_MAX)
      measure_engine(arena, bytes);
  }
  printf("%s\n", status < 0 ? "  refused" : "");
  arena_free(arena);
  specimen_deinit(&specimen);
}

void worst_measure(void)
{
  printf("%-36s %19s %19s %19s %19s\n", "processor time, ns a byte of message", "arena", "id",
         "order", "lists");
  for (size_t at = 0; at < sizeof worsts / sizeof *worsts; at++)
    measure(&worsts[at]);
}
