/* Edge list to shuffled neighbour lists: count, place, sort, drop doubles. */
#include "bench/solver/specimen.h"

#include <stdlib.h>

#include "bench/measure.h"

void specimen_deinit(struct specimen *specimen)
{
  for (size_t i = 0; i < 3; i++)
    free(specimen->memory[i]);
}

void draft_init(struct draft *draft, uint32_t nodes)
{
  *draft = (struct draft){.nodes = nodes};
}

void draft_join(struct draft *draft, uint32_t from, uint32_t to)
{
  if (from == to)
    return;
  if (draft->count == draft->capacity) {
    draft->capacity = draft->capacity ? 2 * draft->capacity : 1024;
    draft->edges = realloc(draft->edges, draft->capacity * sizeof *draft->edges);
    if (!draft->edges)
      die("out of memory for %zu edges", draft->capacity);
  }
  draft->edges[draft->count++] = (struct edge){from, to};
}

static void join_lonely(struct draft *draft, struct random *random)
{
  uint8_t *joined = need_memory(draft->nodes, 1);
  for (size_t i = 0; i < draft->count; i++)
    joined[draft->edges[i].from] = joined[draft->edges[i].to] = 1;
  for (uint32_t node = 0; node < draft->nodes; node++)
    if (!joined[node])
      draft_join(draft, node, (node + 1 + random_below(random, draft->nodes - 1)) % draft->nodes);
  free(joined);
}

static void renumber(struct draft *draft, struct random *random)
{
  uint32_t *number = need_memory(draft->nodes, sizeof *number);
  for (uint32_t node = 0; node < draft->nodes; node++)
    number[node] = node;
  random_shuffle(random, number, draft->nodes);
  for (size_t i = 0; i < draft->count; i++)
    draft->edges[i] = (struct edge){number[draft->edges[i].from], number[draft->edges[i].to]};
  free(number);
}

/* Both directions of each edge, grouped by node; first[node] ends up at the group's begin. */
static void place(const struct draft *draft, uint32_t *first, int32_t *neighbour)
{
  for (size_t i = 0; i < draft->count; i++) {
    first[draft->edges[i].from]++;
    first[draft->edges[i].to]++;
  }
  for (uint32_t node = 0; node < draft->nodes; node++)
    first[node + 1] += first[node];
  for (size_t i = 0; i < draft->count; i++) {
    neighbour[--first[draft->edges[i].from]] = (int32_t)draft->edges[i].to;
    neighbour[--first[draft->edges[i].to]] = (int32_t)draft->edges[i].from;
  }
}

static int compare_nodes(const void *left, const void *right)
{
  int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
  return (a > b) - (a < b);
}

static void drop_doubles(uint32_t nodes, uint32_t *first, int32_t *neighbour)
{
  uint32_t kept = 0, begin = first[0];
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t end = first[node + 1];
    qsort(neighbour + begin, end - begin, sizeof *neighbour, compare_nodes);
    first[node] = kept;
    for (uint32_t i = begin; i < end; i++)
      if (i == begin || neighbour[i] != neighbour[i - 1])
        neighbour[kept++] = neighbour[i];
    begin = end;
  }
  first[nodes] = kept;
}

void draft_finish(struct draft *draft, struct random *random, struct specimen *specimen)
{
  join_lonely(draft, random);
  renumber(draft, random);
  uint32_t *first = need_memory(draft->nodes + (size_t)1, sizeof *first);
  int32_t *neighbour = need_memory(2 * draft->count, sizeof *neighbour);
  place(draft, first, neighbour);
  drop_doubles(draft->nodes, first, neighbour);
  free(draft->edges);
  *specimen = (struct specimen){
      .puzzle = {.game = GAME_GRAPH, .graph = {draft->nodes, first, neighbour}},
      .memory = {first, neighbour, NULL},
  };
}
