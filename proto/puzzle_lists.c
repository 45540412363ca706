/*
 * A graph's lists of neighbours become one block of offsets and neighbours; a grid's rows one of pointers, lengths
 * and cells. Of a grid the moves are counted too that an arena might have to hold. What is of the wrong kind is
 * named by its place.
 */
#include "proto/puzzle_lists.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int over_limit(const char *what, uint64_t count, uint64_t limit, struct fault *fault)
{
  return fault_set(fault, ERROR_LIMIT, "the puzzle has %llu %s, more than the %llu allowed",
                   (unsigned long long)count, what, (unsigned long long)limit);
}

static int item_is_no(const char *list, uint64_t index, const struct value *value, const char *kind,
                      struct fault *fault)
{
  return fault_set(fault, ERROR_BAD_PUZZLE, "%s[%llu] is %s, not %s", list,
                   (unsigned long long)index, value_describe(*value).text, kind);
}

static int out_of_memory(struct fault *fault)
{
  return fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the puzzle");
}

/* The lists' children, all together. Passes them. */
static int count_edges(struct reader *reader, uint64_t lists, const struct message_limits *limits,
                       uint64_t *edges, struct fault *fault)
{
  uint64_t sum = 0;
  if (lists > limits->nodes)
    return over_limit("nodes", lists, limits->nodes, fault);
  for (uint64_t node = 0; node < lists; node++) {
    struct value list;
    reader_next(reader, &list);
    if (!value_is_list(&list))
      return item_is_no("graph", node, &list, "a list", fault);
    reader_skip(reader, &list);
    sum += list.children;
  }
  if (reader->error)
    return reader_finish(reader, fault);
  if (sum > limits->edges || sum > UINT32_MAX)
    return over_limit("neighbours", sum, limits->edges, fault);
  *edges = sum;
  return 0;
}

static int fill_neighbours(struct reader *reader, uint32_t count, uint32_t node, int32_t *neighbour,
                           struct fault *fault)
{
  for (uint32_t i = 0; i < count; i++) {
    struct value value;
    reader_next(reader, &value);
    if (!value_int32(&value, &neighbour[i]))
      return fault_set(fault, ERROR_BAD_PUZZLE, "graph[%u][%u] is %s, not a node number", node, i,
                       value_describe(value).text);
  }
  return 0;
}

static int fill_graph(struct reader *reader, uint32_t nodes, uint32_t *first, int32_t *neighbour,
                      struct fault *fault)
{
  first[0] = 0;
  for (uint32_t node = 0; node < nodes; node++) {
    struct value list;
    reader_next(reader, &list);
    uint32_t count = (uint32_t)list.children;
    if (fill_neighbours(reader, count, node, neighbour + first[node], fault))
      return -EBADMSG;
    first[node + 1] = first[node] + count;
  }
  return 0;
}

int graph_read(struct reader *reader, const struct value *lists,
               const struct message_limits *limits, struct puzzle *puzzle, void **memory,
               struct fault *fault)
{
  uint64_t edges = 0;
  if (!value_is_list(lists))
    return value_refuse(lists, ERROR_BAD_PUZZLE, "graph", "a list", fault);
  const struct reader begin = *reader;
  if (count_edges(reader, lists->children, limits, &edges, fault))
    return -EBADMSG;
  *reader = begin;
  uint32_t nodes = (uint32_t)lists->children;
  uint32_t *first = malloc((nodes + 1 + edges) * sizeof *first);
  if (!first)
    return out_of_memory(fault);
  int32_t *neighbour = (int32_t *)first + nodes + 1;
  if (fill_graph(reader, nodes, first, neighbour, fault)) {
    free(first);
    return -EBADMSG;
  }
  *puzzle = (struct puzzle){.game = GAME_GRAPH, .graph = {nodes, first, neighbour}};
  *memory = first;
  return 0;
}

struct grid_size {
  uint64_t cells;
  uint32_t widest;
};

/* Leaves `reader` where it is. */
static int measure_grid(struct reader reader, uint64_t rows, const struct message_limits *limits,
                        struct grid_size *size, struct fault *fault)
{
  *size = (struct grid_size){0};
  if (rows > limits->nodes)
    return over_limit("rows", rows, limits->nodes, fault);
  for (uint64_t row = 0; row < rows; row++) {
    struct value text;
    reader_next(&reader, &text);
    if (text.kind != ITEM_TEXT)
      return item_is_no("grid", row, &text, "a text", fault);
    size->cells += text.length;
    if (text.length > size->widest)
      size->widest = (uint32_t)text.length;
  }
  if (size->cells > limits->nodes)
    return over_limit("cells", size->cells, limits->nodes, fault);
  return 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* No walls assumed: from each cell, as far as the jump and the row or the column go, or staying. */
static int check_moves(const struct grid_size *size, uint32_t rows, const int32_t jump[2],
                       const struct message_limits *limits, struct fault *fault)
{
  uint64_t moves = 0;
  for (int player = 0; player < 2; player++) {
    uint64_t reach = jump[player] > 0 ? 2 * (uint64_t)jump[player] : 0;
    moves += size->cells * (1 + smaller(reach, size->widest) + smaller(reach, rows));
  }
  if (moves > limits->edges)
    return fault_set(fault, ERROR_LIMIT, "the grid may have %llu moves, more than the %llu allowed",
                     (unsigned long long)moves, (unsigned long long)limits->edges);
  return 0;
}

static int copy_rows(struct reader reader, uint32_t rows, uint64_t cells, struct puzzle *puzzle,
                     void **memory)
{
  const char **row = malloc(rows * (sizeof *row + sizeof(uint32_t)) + cells + 1);
  if (!row)
    return -ENOMEM;
  uint32_t *row_length = (uint32_t *)(row + rows);
  char *at = (char *)(row_length + rows);
  for (uint32_t i = 0; i < rows; i++) {
    struct value text;
    reader_next(&reader, &text);
    row[i] = at;
    row_length[i] = (uint32_t)text.length;
    memcpy(at, text.payload, row_length[i]);
    at += row_length[i];
  }
  puzzle->grid.rows = rows;
  puzzle->grid.row = row;
  puzzle->grid.row_length = row_length;
  *memory = row;
  return 0;
}

int grid_read(struct reader reader, uint64_t rows, const int32_t jump[2],
              const struct message_limits *limits, struct puzzle *puzzle, void **memory,
              struct fault *fault)
{
  struct puzzle read = {.game = GAME_GRID, .grid.jump = {jump[0], jump[1]}};
  struct grid_size size;
  if (measure_grid(reader, rows, limits, &size, fault) ||
      check_moves(&size, (uint32_t)rows, jump, limits, fault))
    return -EBADMSG;
  if (copy_rows(reader, (uint32_t)rows, size.cells, &read, memory))
    return out_of_memory(fault);
  *puzzle = read;
  return 0;
}
