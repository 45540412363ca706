/*
 * Branch and bound. A set of states that must be in the strategy grows until none of them is without its answer;
 * each answer that may serve is tried for the next such state, and a branch ends when its set is no smaller than
 * the smallest strategy found.
 */
#include "bench/explain/smallest.h"

#include "solver/answer.h"
#include "solver/ranking.h"

enum { WORDS = 2 * SMALLEST_NODES_MOST * SMALLEST_NODES_MOST / 64 };

struct set {
  uint64_t words[WORDS];
};

struct search {
  const struct arena *arena;
  const struct table *table;
  enum player player;
  enum goal goal;
  uint32_t best; /* states of the smallest strategy found */
  uint64_t tries_left;
};

static uint32_t number_of(const struct search *search, struct state state)
{
  uint32_t nodes = search->arena->nodes;
  return ((uint32_t)state.turn * nodes + state.mouse) * nodes + state.cat;
}

static struct state state_of(const struct search *search, uint32_t number)
{
  uint32_t nodes = search->arena->nodes;
  return (struct state){number / nodes % nodes, number % nodes,
                        (enum player)(number / nodes / nodes)};
}

static bool has(const struct set *set, uint32_t number)
{
  return set->words[number / 64] >> (number % 64) & 1;
}

static void put(struct set *set, uint32_t number)
{
  set->words[number / 64] |= UINT64_C(1) << (number % 64);
}

static uint32_t size_of(const struct set *set)
{
  uint32_t size = 0;
  for (int word = 0; word < WORDS; word++)
    size += (uint32_t)__builtin_popcountll(set->words[word]);
  return size;
}

/* Adds a state, and with it all that the other player can make of it. */
static void require(const struct search *search, struct set *set, struct state state)
{
  if (state_is_over(search->arena, &state) || has(set, number_of(search, state)))
    return;
  put(set, number_of(search, state));
  if (state.turn == search->player)
    return;
  struct choices choices = choices_of(search->arena, search->table, &state, LIMIT_NONE);
  for (const uint32_t *to = choices.first; to < choices.last; to++)
    require(search, set, state_after(state, *to));
}

static bool serves(const struct search *search, struct state state, struct state after)
{
  struct table_value here = table_value(search->table, state);
  struct table_value there = table_value(search->table, after);
  if (search->goal == GOAL_WIN)
    return there.outcome == here.outcome && there.plies + 1 == here.plies;
  return there.outcome != (enum outcome)player_other(search->player);
}

/* `answered`: the states of `set` whose move is chosen. */
static void branch(struct search *search, struct set set, struct set answered)
{
  uint32_t number = 0, states = (uint32_t)arena_states(search->arena);
  if (size_of(&set) >= search->best || search->tries_left == 0)
    return;
  search->tries_left--;
  while (number < states && (!has(&set, number) || has(&answered, number) ||
                             state_of(search, number).turn != search->player))
    number++;
  if (number == states) {
    search->best = size_of(&set);
    return;
  }
  struct state state = state_of(search, number);
  struct choices choices = choices_of(search->arena, search->table, &state, LIMIT_NONE);
  put(&answered, number);
  if (choices.first == choices.last)
    branch(search, set, answered);
  for (const uint32_t *to = choices.first; to < choices.last; to++) {
    struct state after = state_after(state, *to);
    struct set larger = set;
    if (!serves(search, state, after))
      continue;
    require(search, &larger, after);
    branch(search, larger, answered);
    if (size_of(&larger) == size_of(&set))
      return; /* no other move adds less */
  }
}

uint32_t smallest_strategy(const struct arena *arena, const struct table *table,
                           const struct strategy *strategy, const struct state *start,
                           uint64_t tries_max)
{
  struct search search = {.arena = arena,
                          .table = table,
                          .player = strategy->player,
                          .goal = strategy->goal,
                          .best = strategy->states_count,
                          .tries_left = tries_max};
  struct set set = {0}, answered = {0};
  require(&search, &set, *start);
  branch(&search, set, answered);
  return search.tries_left > 0 ? search.best : 0;
}
