/*
 * Small graphs become sets of neighbours as they are read; larger ones, and all that may be wrong with their nodes,
 * become lists that arena_new() checks in its own words.
 */
#include "client/batch/item.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/limits.h"
#include "text/text.h"

enum { NODES_MIN = 3 };

struct edge {
  uint32_t a, b;
};

void item_init(struct item *item)
{
  *item = (struct item){0};
}

void item_deinit(struct item *item)
{
  free(item->memory);
  text_free(item->text);
  free(item->pairs.data);
  free(item->lists.data);
  free(item->moves.data);
}

bool item_refuse(struct item *item, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(item->bad, sizeof item->bad, format, arguments);
  va_end(arguments);
  return false;
}

void *item_room(struct item *item, struct room *room, size_t bytes)
{
  if (bytes <= room->bytes)
    return room->data;
  size_t wanted = bytes < 2 * room->bytes ? 2 * room->bytes : bytes;
  void *data = realloc(room->data, wanted);
  if (!data) {
    item_refuse(item, "out of memory while reading the puzzle");
    return NULL;
  }
  *room = (struct room){data, wanted};
  return data;
}

/* Of a record that was much larger than most are. */
static void let_go(struct room *room)
{
  enum { KEPT_BYTES = 1 << 20 };
  if (room->bytes <= KEPT_BYTES)
    return;
  free(room->data);
  *room = (struct room){0};
}

void item_clear(struct item *item)
{
  if (item->memory) {
    free(item->memory);
    item->memory = NULL;
  }
  if (item->text) {
    text_free(item->text);
    item->text = NULL;
  }
  let_go(&item->pairs);
  let_go(&item->lists);
  let_go(&item->moves);
  item->game = GAME_GRAPH;
  item->is_sets = item->has_state = item->has_limit = false;
  item->tag = NULL;
  item->pairs_count = 0;
}

bool item_begin_edges(struct item *item, uint64_t nodes)
{
  if (nodes < NODES_MIN)
    return item_refuse(item, "graph has %u node%s, but the hole, the mouse and the cat need 3",
                       (unsigned)nodes, nodes == 1 ? "" : "s");
  if (nodes > message_limits_default.nodes)
    return item_refuse(item, "the puzzle has %llu nodes, more than the %llu allowed",
                       (unsigned long long)nodes, (unsigned long long)message_limits_default.nodes);
  item->nodes = (uint32_t)nodes;
  item->is_sets = nodes <= VERDICT_NODES_MAX;
  if (item->is_sets)
    memset(item->neighbours, 0, nodes * sizeof *item->neighbours);
  return true;
}

bool item_add_edge(struct item *item, uint64_t a, uint64_t b)
{
  if (a >= item->nodes || b >= item->nodes)
    return item_refuse(item, "an edge joins %llu and %llu, but there are %u nodes",
                       (unsigned long long)a, (unsigned long long)b, item->nodes);
  if (a == b)
    return item_refuse(item, "an edge joins node %u to itself", (unsigned)a);
  if (item->is_sets) {
    item->neighbours[a] |= UINT64_C(1) << b;
    item->neighbours[b] |= UINT64_C(1) << a;
    return true;
  }
  if (2 * (item->pairs_count + 1) > message_limits_default.edges)
    return item_refuse(item, "the puzzle has more neighbours than the %llu allowed",
                       (unsigned long long)message_limits_default.edges);
  struct edge *edges = item_room(item, &item->pairs, (item->pairs_count + 1) * sizeof *edges);
  if (!edges)
    return false;
  edges[item->pairs_count++] = (struct edge){(uint32_t)a, (uint32_t)b};
  return true;
}

static int compare_nodes(const void *a, const void *b)
{
  int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
  return (left > right) - (left < right);
}

/* Lists each edge at both of its ends. `at` is where the next neighbour of each node goes. */
static void fill_lists(const struct item *item, uint32_t *at, int32_t *neighbour)
{
  const struct edge *edges = item->pairs.data;
  for (size_t i = 0; i < item->pairs_count; i++) {
    neighbour[at[edges[i].a]++] = (int32_t)edges[i].b;
    neighbour[at[edges[i].b]++] = (int32_t)edges[i].a;
  }
}

/* Sorts each list and drops what came twice. */
static void drop_doubles(uint32_t nodes, uint32_t *first, int32_t *neighbour)
{
  uint32_t end = 0, begin = 0;
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t count = first[node + 1] - begin;
    int32_t *list = neighbour + begin;
    begin = first[node + 1];
    qsort(list, count, sizeof *list, compare_nodes);
    first[node] = end;
    for (uint32_t i = 0; i < count; i++) {
      if (i == 0 || list[i] != list[i - 1])
        neighbour[end++] = list[i];
    }
  }
  first[nodes] = end;
}

bool item_end_edges(struct item *item)
{
  if (item->is_sets)
    return true;
  size_t offsets = (size_t)item->nodes + 1, neighbours = 2 * item->pairs_count;
  uint32_t *first = item_room(item, &item->lists, (2 * offsets + neighbours) * sizeof *first);
  if (!first)
    return false;
  uint32_t *at = first + offsets;
  int32_t *neighbour = (int32_t *)(at + offsets);
  const struct edge *edges = item->pairs.data;
  memset(first, 0, offsets * sizeof *first);
  for (size_t i = 0; i < item->pairs_count; i++) {
    first[edges[i].a + 1]++;
    first[edges[i].b + 1]++;
  }
  for (uint32_t node = 0; node < item->nodes; node++)
    first[node + 1] += first[node];
  memcpy(at, first, offsets * sizeof *at);
  fill_lists(item, at, neighbour);
  drop_doubles(item->nodes, first, neighbour);
  item->puzzle = (struct puzzle){GAME_GRAPH, .graph = {item->nodes, first, neighbour}};
  return true;
}

/* Not where a neighbour is out of range, listed twice, the node itself, or does not list it back. */
void item_find_sets(struct item *item)
{
  const struct puzzle *puzzle = &item->puzzle;
  uint32_t nodes = puzzle->graph.nodes;
  uint64_t listed[VERDICT_NODES_MAX] = {0};
  item->nodes = nodes;
  if (nodes < NODES_MIN || nodes > VERDICT_NODES_MAX)
    return;
  memset(item->neighbours, 0, nodes * sizeof *item->neighbours);
  for (uint32_t node = 0; node < nodes; node++) {
    for (uint32_t i = puzzle->graph.first[node]; i < puzzle->graph.first[node + 1]; i++) {
      uint32_t to = (uint32_t)puzzle->graph.neighbour[i];
      if (to >= nodes || to == node || listed[node] >> to & 1)
        return;
      listed[node] |= UINT64_C(1) << to;
      item->neighbours[to] |= UINT64_C(1) << node;
    }
  }
  item->is_sets = memcmp(listed, item->neighbours, nodes * sizeof *listed) == 0;
}
