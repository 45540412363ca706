/* Answers about one state, read off a finished table. Nothing here fails. */
#include "solver/answer.h"

#include <stdlib.h>

#include "solver/ranking.h"

bool answer_over(const struct arena *arena, const struct state *state)
{
  return state->mouse == state->cat || node_in(arena->home[PLAYER_MOUSE], state->mouse) ||
         node_in(arena->home[PLAYER_CAT], state->cat);
}

/* What can be forced within `plies`, where 0 is really none: the end is here or never. */
static struct value within(struct value value, uint32_t plies)
{
  return value.plies <= plies ? value : (struct value){OUTCOME_DRAW, PLIES_NONE};
}

static struct answer_value as_counted(const struct arena *arena, struct value value)
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

void mover_moves(const struct arena *arena, const struct state *state, const uint32_t **first,
                 const uint32_t **last)
{
  const struct moves *moves = &arena->moves[state->turn];
  uint32_t from = state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
  *first = moves->to + moves->begin[from];
  *last = answer_over(arena, state) ? *first : moves->to + moves->end[from];
}

struct ranked_move move_value(const struct arena *arena, const struct table *table,
                              const struct state *state, uint32_t limit_plies, uint32_t to)
{
  uint32_t left = limit_plies == LIMIT_NONE ? PLIES_NONE : limit_plies - 1;
  struct value value = within(table_value(table, state_after(*state, to)), left);
  return (struct ranked_move){to, as_counted(arena, value)};
}

uint64_t move_rank(const struct ranked_move *move, enum player mover)
{
  const uint64_t endless = UINT64_C(1) << 33;
  if (move->value.plies == PLIES_NONE)
    return endless;
  bool won = move->value.outcome == (enum outcome)mover;
  return won ? move->value.plies : 2 * endless - move->value.plies;
}

size_t answer_move_count(const struct arena *arena, const struct state *state)
{
  const uint32_t *first, *last;
  mover_moves(arena, state, &first, &last);
  return (size_t)(last - first);
}

static int compare_moves(const void *left, const void *right, void *mover)
{
  const struct ranked_move *a = left, *b = right;
  uint64_t rank_a = move_rank(a, *(enum player *)mover);
  uint64_t rank_b = move_rank(b, *(enum player *)mover);
  if (rank_a != rank_b)
    return rank_a < rank_b ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

enum { FEW_MOVES = 24 };

/* In place, by ranks worked out once: nodes have few moves as a rule. Ties stay as they came, lowest first. */
static void sort_few_moves(struct ranked_move *moves, size_t count, enum player mover)
{
  uint64_t ranks[FEW_MOVES];
  for (size_t i = 0; i < count; i++) {
    struct ranked_move move = moves[i];
    uint64_t rank = move_rank(&move, mover);
    size_t at = i;
    for (; at > 0 && rank < ranks[at - 1]; at--) {
      ranks[at] = ranks[at - 1];
      moves[at] = moves[at - 1];
    }
    ranks[at] = rank;
    moves[at] = move;
  }
}

void answer_moves(const struct arena *arena, const struct table *table, const struct state *state,
                  uint32_t limit_plies, struct ranked_move *moves)
{
  const uint32_t *first, *last;
  mover_moves(arena, state, &first, &last);
  for (const uint32_t *to = first; to < last; to++)
    moves[to - first] = move_value(arena, table, state, limit_plies, *to);
  size_t count = (size_t)(last - first);
  enum player mover = state->turn;
  if (count <= FEW_MOVES)
    sort_few_moves(moves, count, mover);
  else
    qsort_r(moves, count, sizeof *moves, compare_moves, &mover);
}
