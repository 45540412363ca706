/* Answers about one state, read off a finished table. Nothing here fails. */
#include "solver/answer.h"

#include <assert.h>
#include <stdlib.h>

#include "solver/ranking.h"

bool answer_over(const struct arena *arena, const struct state *state)
{
  return state_is_over(arena, state);
}

/* What can be forced within `plies`, where 0 is really none: the end is here or never. */
static struct table_value within(struct table_value value, uint32_t plies)
{
  return value.plies <= plies ? value : (struct table_value){OUTCOME_DRAW, PLIES_NONE};
}

static struct answer_value as_counted(const struct arena *arena, struct table_value value)
{
  enum outcome outcome = value.outcome == OUTCOME_DRAW ? arena->endless : value.outcome;
  return (struct answer_value){outcome, value.plies};
}

struct answer_value answer_value(const struct arena *arena, const struct table *table,
                                 const struct state *state, uint32_t limit_plies)
{
  uint32_t plies = limit_plies == LIMIT_NONE ? PLIES_NONE : limit_plies;
  return as_counted(arena, within(table_value(table, *state), plies));
}

size_t answer_move_count(const struct arena *arena, const struct state *state)
{
  const uint32_t *first, *last;
  moves_of(arena, state, &first, &last);
  return (size_t)(last - first);
}

/* In place, lowest rank first: nodes have few moves as a rule. */
static void sort_few(uint64_t *ranks, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    uint64_t rank = ranks[i];
    size_t at = i;
    for (; at > 0 && rank < ranks[at - 1]; at--)
      ranks[at] = ranks[at - 1];
    ranks[at] = rank;
  }
}

/* A rank above its node: ties go to the lowest node. */
enum { NODE_BITS = 30 };

static uint64_t ranked(const struct choices *choices, uint32_t to, enum player mover)
{
  assert(to >> NODE_BITS == 0);
  return cell_rank(choice_cell(choices, to), mover) << NODE_BITS | to;
}

static struct ranked_move move_of(const struct arena *arena, const struct choices *choices,
                                  uint32_t to)
{
  return (struct ranked_move){to, as_counted(arena, cell_value(choice_cell(choices, to)))};
}

enum { FEW_MOVES = 24 };

static void rank_few(const struct arena *arena, const struct choices *choices, enum player mover,
                     struct ranked_move *moves)
{
  uint64_t ranks[FEW_MOVES];
  size_t count = (size_t)(choices->last - choices->first);
  for (size_t i = 0; i < count; i++)
    ranks[i] = ranked(choices, choices->first[i], mover);
  sort_few(ranks, count);
  for (size_t i = 0; i < count; i++)
    moves[i] = move_of(arena, choices, (uint32_t)ranks[i] & ((1u << NODE_BITS) - 1));
}

struct ranking {
  const struct choices *choices;
  enum player mover;
};

static int compare_moves(const void *left, const void *right, void *context)
{
  const struct ranked_move *a = left, *b = right;
  const struct ranking *ranking = context;
  uint64_t rank_a = ranked(ranking->choices, a->to, ranking->mover);
  uint64_t rank_b = ranked(ranking->choices, b->to, ranking->mover);
  return rank_a < rank_b ? -1 : rank_a > rank_b;
}

static void rank_many(const struct arena *arena, const struct choices *choices, enum player mover,
                      struct ranked_move *moves)
{
  struct ranking ranking = {choices, mover};
  size_t count = (size_t)(choices->last - choices->first);
  for (size_t i = 0; i < count; i++)
    moves[i] = move_of(arena, choices, choices->first[i]);
  qsort_r(moves, count, sizeof *moves, compare_moves, &ranking);
}

void answer_moves(const struct arena *arena, const struct table *table, const struct state *state,
                  uint32_t limit_plies, struct ranked_move *moves)
{
  struct choices choices = choices_of(arena, table, state, limit_plies);
  if (choices.last - choices.first <= FEW_MOVES)
    rank_few(arena, &choices, state->turn, moves);
  else
    rank_many(arena, &choices, state->turn, moves);
}
