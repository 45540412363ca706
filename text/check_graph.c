/*
 * All faults of a graph's lists. Neighbours that there are get transposed by counting sort, as the solver does,
 * so that each missing mirror is found in O(nodes + edges).
 */
#include <stdlib.h>
#include <string.h>

#include "text/reader.h"

#define NONE UINT32_MAX

enum { NODES_MIN = 3 };

/* Edges by the node that they lead to: edge[first[v]] .. edge[first[v + 1] - 1] lead to v. */
struct transposed {
  uint32_t *first;
  uint32_t *edge;
  uint32_t *owner; /* by edge: the node that lists it */
  uint32_t *seen;  /* by node: the last list + 1 that it was seen in, and at which edge */
  uint32_t *seen_at;
};

static bool is_node(const struct text_puzzle *puzzle, uint32_t edge)
{
  return puzzle->neighbour[edge] >= 0 && (uint32_t)puzzle->neighbour[edge] < puzzle->items_count;
}

static bool transposed_init(const struct text_puzzle *puzzle, struct transposed *made)
{
  const size_t nodes = puzzle->items_count, edges = puzzle->first[nodes];
  *made = (struct transposed){.first = calloc(nodes + 2, sizeof *made->first),
                              .edge = malloc((edges + 1) * sizeof *made->edge),
                              .owner = malloc((edges + 1) * sizeof *made->owner),
                              .seen = calloc(nodes + 1, sizeof *made->seen),
                              .seen_at = malloc((nodes + 1) * sizeof *made->seen_at)};
  if (!made->first || !made->edge || !made->owner || !made->seen || !made->seen_at)
    return false;
  for (uint32_t edge = 0; edge < edges; edge++) {
    if (is_node(puzzle, edge))
      made->first[puzzle->neighbour[edge] + 2]++;
  }
  for (size_t node = 2; node <= nodes; node++)
    made->first[node] += made->first[node - 1];
  for (uint32_t node = 0; node < nodes; node++) {
    for (uint32_t edge = puzzle->first[node]; edge < puzzle->first[node + 1]; edge++) {
      made->owner[edge] = node;
      if (is_node(puzzle, edge))
        made->edge[made->first[puzzle->neighbour[edge] + 1]++] = edge;
    }
  }
  return true;
}

static void transposed_deinit(struct transposed *transposed)
{
  free(transposed->first);
  free(transposed->edge);
  free(transposed->owner);
  free(transposed->seen);
  free(transposed->seen_at);
}

static void tell(struct text_fault *fault, uint32_t node, uint32_t neighbour)
{
  fault->node = node;
  fault->neighbour = neighbour;
}

/* One list: what is out of range, its own node, or there already. Notes in `seen` what is there. */
static void check_list(struct reader *reader, struct transposed *transposed, uint32_t node)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  const uint32_t nodes = puzzle->items_count;
  for (uint32_t edge = puzzle->first[node]; edge < puzzle->first[node + 1]; edge++) {
    const int32_t neighbour = puzzle->neighbour[edge];
    const struct text_span span = puzzle->number[edge];
    struct text_fault *fault;
    if (!is_node(puzzle, edge)) {
      fault =
          reader_fault(reader, TEXT_OUT_OF_RANGE, span,
                       "graph[%u] lists node %d, but there are %u nodes", node, neighbour, nodes);
      fault_advise(fault, "write a node from 0 to %u", nodes - 1);
      tell(fault, node, (uint32_t)neighbour);
    } else if ((uint32_t)neighbour == node) {
      fault = reader_fault(reader, TEXT_SELF_LOOP, span, "graph[%u] lists itself", node);
      fault_advise(fault, "remove the %u", node);
      tell(fault, node, node);
    } else if (transposed->seen[neighbour] == node + 1) {
      fault = reader_fault(reader, TEXT_DUPLICATE, span, "graph[%u] lists node %d twice", node,
                           neighbour);
      fault_set_other(fault, puzzle->number[transposed->seen_at[neighbour]]);
      fault_advise(fault, "remove one of them");
      tell(fault, node, (uint32_t)neighbour);
    } else {
      transposed->seen[neighbour] = node + 1;
      transposed->seen_at[neighbour] = edge;
    }
  }
}

/* Whoever lists a node must be listed by it, once however often it does. */
static void check_mirrors(struct reader *reader, const struct transposed *transposed, uint32_t node)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  uint32_t before = NONE;
  for (uint32_t i = transposed->first[node]; i < transposed->first[node + 1]; i++) {
    const uint32_t edge = transposed->edge[i], owner = transposed->owner[edge];
    if (owner != node && owner != before && transposed->seen[owner] != node + 1) {
      struct text_fault *fault = reader_fault(
          reader, TEXT_MISSING_MIRROR, puzzle->number[edge],
          "graph[%u] lists node %u, but graph[%u] does not list node %u", owner, node, node, owner);
      fault_set_other(fault, puzzle->item[node]);
      fault_advise(fault, "add %u to graph[%u], or remove the %u here", owner, node, node);
      tell(fault, owner, node);
    }
    before = owner;
  }
}

void check_graph(struct reader *reader)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  struct transposed transposed;
  if (!puzzle->list_closed)
    return;
  if (puzzle->items_count < NODES_MIN)
    fault_advise(reader_fault(reader, TEXT_TOO_FEW_NODES, puzzle->list,
                              "graph has %u node%s, but the hole, the mouse and the cat need 3",
                              puzzle->items_count, puzzle->items_count == 1 ? "" : "s"),
                 "write a list for each of 3 nodes at least");
  if (transposed_init(puzzle, &transposed)) {
    for (uint32_t node = 0; node < puzzle->items_count; node++) {
      check_list(reader, &transposed, node);
      if (!reader->damaged[node])
        check_mirrors(reader, &transposed, node);
    }
  } else {
    reader->failed = true;
  }
  transposed_deinit(&transposed);
}
