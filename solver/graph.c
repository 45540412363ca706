/*
 * LeetCode 913: neighbour lists → arena, in O(nodes + edges).
 *
 * Transposing the lists by counting sort yields, for each node, who lists it, in ascending order. A
 * graph is mirrored exactly where each node lists whoever lists it, and then the transposed lists
 * are the neighbour lists, sorted. The cat's lists are the mouse's without the hole, node 0, which
 * is always first of a sorted list: both players share `to` and `end`.
 */
#include "solver/graph.h"

#include <stdlib.h>

#include "solver/arena_parts.h"

enum { HOLE = 0, MOUSE_START = 1, CAT_START = 2, NODES_MIN = 3 };

static int check_list(const struct puzzle *puzzle, uint32_t node, struct complaint *complaint)
{
  uint32_t nodes = puzzle->graph.nodes;
  for (uint32_t i = puzzle->graph.first[node]; i < puzzle->graph.first[node + 1]; i++) {
    int32_t neighbour = puzzle->graph.neighbour[i];
    if (neighbour < 0 || (uint32_t)neighbour >= nodes)
      return complain(complaint, "graph[%u] lists node %d, but there are %u nodes", node, neighbour,
                      nodes);
    if ((uint32_t)neighbour == node)
      return complain(complaint, "graph[%u] lists itself", node);
  }
  return 0;
}

/* Leaves in end[v] the end of what was written for v: the nodes that list v, ascending. */
static int transpose(const struct puzzle *puzzle, struct arena_parts *parts,
                     struct complaint *complaint)
{
  const uint32_t *first = puzzle->graph.first;
  const int32_t *neighbour = puzzle->graph.neighbour;
  uint32_t nodes = puzzle->graph.nodes;
  uint32_t *begin = parts->begin[PLAYER_MOUSE], *end = parts->end[PLAYER_MOUSE];
  for (uint32_t i = 0; i < first[nodes]; i++)
    end[neighbour[i]]++;
  for (uint32_t node = 0, at = 0; node < nodes; node++) {
    uint32_t count = end[node];
    begin[node] = end[node] = at;
    at += count;
  }
  for (uint32_t node = 0; node < nodes; node++) {
    for (uint32_t i = first[node]; i < first[node + 1]; i++) {
      uint32_t listed = (uint32_t)neighbour[i];
      if (end[listed] > begin[listed] && parts->to[end[listed] - 1] == node)
        return complain(complaint, "graph[%u] lists node %u twice", node, listed);
      parts->to[end[listed]++] = node;
    }
  }
  return 0;
}

/*
 * Whoever lists a node must be listed by it. `seen` is zeroed scratch: seen[u] == v + 1 where v
 * lists u.
 */
static int check_mirrored(const struct puzzle *puzzle, const struct arena_parts *parts,
                          uint32_t *seen, struct complaint *complaint)
{
  const uint32_t *first = puzzle->graph.first;
  const uint32_t *begin = parts->begin[PLAYER_MOUSE], *end = parts->end[PLAYER_MOUSE];
  for (uint32_t node = 0; node < puzzle->graph.nodes; node++) {
    for (uint32_t i = first[node]; i < first[node + 1]; i++)
      seen[puzzle->graph.neighbour[i]] = node + 1;
    for (uint32_t i = begin[node]; i < end[node]; i++) {
      if (seen[parts->to[i]] != node + 1)
        return complain(complaint, "graph[%u] lists node %u, but graph[%u] does not list node %u",
                        parts->to[i], node, node, parts->to[i]);
    }
  }
  return 0;
}

static void skip_hole(struct arena_parts *parts)
{
  const uint32_t *begin = parts->begin[PLAYER_MOUSE], *end = parts->end[PLAYER_MOUSE];
  for (uint32_t node = 0; node < parts->arena->nodes; node++) {
    bool beside_hole = begin[node] < end[node] && parts->to[begin[node]] == HOLE;
    parts->begin[PLAYER_CAT][node] = begin[node] + beside_hole;
  }
}

void graph_arena_finish(struct arena_parts *parts)
{
  skip_hole(parts);
  node_add(parts->home[PLAYER_MOUSE], HOLE);
  node_add(parts->barred[PLAYER_CAT], HOLE);
  parts->arena->game = GAME_GRAPH;
  parts->arena->mirrored = true;
  parts->arena->endless = OUTCOME_DRAW;
  parts->arena->start = (struct state){MOUSE_START, CAT_START, PLAYER_MOUSE};
}

static int fill(const struct puzzle *puzzle, struct arena_parts *parts, struct complaint *complaint)
{
  for (uint32_t node = 0; node < puzzle->graph.nodes; node++) {
    int status = check_list(puzzle, node, complaint);
    if (status < 0)
      return status;
  }
  int status = transpose(puzzle, parts, complaint);
  if (status < 0)
    return status;
  status = check_mirrored(puzzle, parts, parts->begin[PLAYER_CAT], complaint);
  if (status < 0)
    return status;
  graph_arena_finish(parts);
  return 0;
}

int graph_arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint)
{
  uint32_t nodes = puzzle->graph.nodes;
  if (nodes < NODES_MIN)
    return complain(complaint, "graph has %u node%s, but the hole, the mouse and the cat need 3",
                    nodes, nodes == 1 ? "" : "s");
  struct arena_parts parts;
  int status = arena_parts_new(nodes, puzzle->graph.first[nodes], true, &parts);
  if (status < 0)
    return status;
  status = fill(puzzle, &parts, complaint);
  if (status < 0) {
    free(parts.arena);
    return status;
  }
  *arena = parts.arena;
  return 0;
}
