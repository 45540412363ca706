/*
 * The arena's lists serve as they are where the numbering is kept and every move can be taken back.
 * Else they are written anew: moves in the new numbering, and predecessors by counting.
 */
#include "solver/engine/level.h"

#include "solver/engine/lists.h"

#include <errno.h>
#include <string.h>

#include "solver/engine/bit_line.h"

static uint32_t node_of(const struct lists *lists, uint32_t place)
{
  return lists->node_at ? lists->node_at[place] : place;
}

static uint64_t count_edges(const struct moves *moves, uint32_t nodes)
{
  uint64_t edges = 0;
  for (uint32_t node = 0; node < nodes; node++)
    edges += moves->end[node] - moves->begin[node];
  return edges;
}

/* A home may have no moves of its own, but the moves into it are what the game is about. */
static bool takes_back(const struct arena *arena, enum player player)
{
  const struct moves *moves = &arena->moves[player];
  if (!arena->mirrored)
    return false;
  for (uint32_t node = 0; node < arena->nodes; node++)
    if (node_in(arena->home[player], node) && moves->begin[node] == moves->end[node])
      return false;
  return true;
}

static size_t set_words(const struct lists *lists)
{
  return (size_t)lists->lines * LINE_WORDS;
}

static void copy_set(const struct lists *lists, const uint64_t *from, uint64_t *to)
{
  for (uint32_t place = 0; place < lists->nodes; place++)
    if (node_in(from, node_of(lists, place)))
      to[place / 64] |= UINT64_C(1) << place % 64;
}

/* Where each list begins, one more for the end, then the entries. */
struct copy {
  uint32_t *first;
  uint32_t *to;
};

static struct moves copy_moves(const struct copy *copy)
{
  return (struct moves){copy->first, copy->first + 1, copy->to};
}

static void fill_moves(const struct lists *lists, struct solving *solving, const struct moves *from,
                       const struct copy *copy)
{
  uint32_t count = 0;
  for (uint32_t place = 0; place < lists->nodes && !solving_over(solving); place++) {
    uint32_t node = node_of(lists, place);
    copy->first[place] = count;
    for (uint32_t at = from->begin[node]; at < from->end[node]; at++)
      copy->to[count++] = lists->place_of[from->to[at]];
  }
  copy->first[lists->nodes] = count;
}

static void fill_before(const struct lists *lists, struct solving *solving,
                        const struct moves *moves, const struct copy *copy)
{
  uint32_t nodes = lists->nodes;
  for (uint32_t place = 0; place < nodes && !solving_over(solving); place++)
    for (uint32_t at = moves->begin[place]; at < moves->end[place]; at++)
      copy->first[moves->to[at] + 1]++;
  for (uint32_t place = 0; place < nodes; place++)
    copy->first[place + 1] += copy->first[place];
  uint32_t edges = copy->first[nodes];
  for (uint32_t place = nodes; place-- > 0 && !solving_over(solving);)
    for (uint32_t at = moves->begin[place]; at < moves->end[place]; at++)
      copy->to[--copy->first[moves->to[at] + 1]] = place;
  memmove(copy->first, copy->first + 1, nodes * sizeof *copy->first);
  copy->first[nodes] = edges;
}

static struct copy take_copy(struct lists *lists, uint32_t **at, uint64_t edges)
{
  struct copy copy = {*at, *at + lists->nodes + 1};
  *at = copy.to + edges;
  return copy;
}

static void fill_player(struct lists *lists, struct solving *solving, const struct arena *arena,
                        enum player player, uint32_t **at)
{
  lists->moves[player] = lists->before[player] = arena->moves[player];
  if (lists->place_of) {
    struct copy copy = take_copy(lists, at, lists->edges[player]);
    fill_moves(lists, solving, &arena->moves[player], &copy);
    lists->moves[player] = lists->before[player] = copy_moves(&copy);
  }
  if (takes_back(arena, player))
    return;
  struct copy copy = take_copy(lists, at, lists->edges[player]);
  fill_before(lists, solving, &lists->moves[player], &copy);
  lists->before[player] = copy_moves(&copy);
}

static size_t memory_needed(const struct lists *lists, const struct arena *arena)
{
  size_t words = 8 * set_words(lists);
  for (int player = 0; player < 2; player++)
    words += (lists->nodes + 1 + lists->edges[player]) *
             (size_t)((lists->node_at != NULL) + !takes_back(arena, player));
  return words * sizeof(uint32_t);
}

int lists_init(struct lists *lists, struct solving *solving, const struct arena *arena,
               const struct order *order)
{
  *lists = (struct lists){.nodes = arena->nodes,
                          .lines = lines_for(arena->nodes),
                          .node_at = order->node_at,
                          .place_of = order->place_of};
  for (int player = 0; player < 2; player++)
    lists->edges[player] = count_edges(&arena->moves[player], arena->nodes);
  lists->memory_bytes = memory_needed(lists, arena);
  lists->memory = solving_alloc(solving, lists->memory_bytes);
  if (!lists->memory)
    return solving->error;
  uint64_t *sets = (uint64_t *)lists->memory;
  for (int player = 0; player < 2; player++) {
    copy_set(lists, arena->home[player], sets);
    lists->home[player] = sets;
    copy_set(lists, arena->barred[player], sets + set_words(lists));
    lists->barred[player] = sets + set_words(lists);
    sets += 2 * set_words(lists);
  }
  uint32_t *at = (uint32_t *)sets;
  for (int player = 0; player < 2; player++)
    fill_player(lists, solving, arena, (enum player)player, &at);
  return solving_over(solving) ? solving->error : 0;
}

void lists_deinit(struct lists *lists, struct solving *solving)
{
  solving_free(solving, lists->memory, lists->memory_bytes);
}
