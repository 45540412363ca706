/*
 * A graph's lists of neighbours: counted and checked against the limits first, then copied into one block of
 * offsets and neighbours. What is no list or no node number is named by its place.
 */
#include "proto/puzzle_parts.h"

#include <errno.h>
#include <stdlib.h>

/* The lists' children, all together. Passes them. */
static int count_edges(struct reader *reader, uint64_t lists, const struct message_limits *limits,
                       uint64_t *edges, struct fault *fault)
{
  uint64_t sum = 0;
  if (lists > limits->nodes)
    return puzzle_over_limit("nodes", lists, limits->nodes, fault);
  for (uint64_t node = 0; node < lists; node++) {
    struct value list;
    reader_next(reader, &list);
    if (!value_is_list(&list))
      return puzzle_item_is_no("graph", node, &list, "a list", fault);
    reader_skip(reader, &list);
    sum += list.children;
  }
  if (reader->error)
    return reader_finish(reader, fault);
  if (sum > limits->edges || sum > UINT32_MAX)
    return puzzle_over_limit("neighbours", sum, limits->edges, fault);
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
    return puzzle_is_no("graph", lists, "a list", fault);
  const struct reader begin = *reader;
  if (count_edges(reader, lists->children, limits, &edges, fault))
    return -EBADMSG;
  *reader = begin;
  uint32_t nodes = (uint32_t)lists->children;
  uint32_t *first = malloc((nodes + 1 + edges) * sizeof *first);
  if (!first)
    return puzzle_no_memory(fault);
  int32_t *neighbour = (int32_t *)first + nodes + 1;
  if (fill_graph(reader, nodes, first, neighbour, fault)) {
    free(first);
    return -EBADMSG;
  }
  *puzzle = (struct puzzle){.game = GAME_GRAPH, .graph = {nodes, first, neighbour}};
  *memory = first;
  return 0;
}
