/* Answers about one state, read off a finished table. Nothing here fails. */
#include "solver/answer.h"

#include <stdlib.h>

#include "solver/ranking.h"

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

static uint64_t rank_of(const struct ranked_move *move, enum player mover)
{
  const struct answer_value *value = &move->value;
  const uint64_t endless = UINT64_C(1) << 32;
  if (value->plies == PLIES_NONE)
    return endless;
  return value->outcome == (enum outcome)mover ? value->plies : 2 * endless - value->plies;
}

/* `mover` points to who moves. */
static int compare_moves(const void *left, const void *right, void *mover)
{
  const struct ranked_move *a = left, *b = right;
  uint64_t rank_a = rank_of(a, *(enum player *)mover), rank_b = rank_of(b, *(enum player *)mover);
  if (rank_a != rank_b)
    return rank_a < rank_b ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

/* Nodes have few moves as a rule, which are sorted faster so. */
enum { FEW_MOVES = 24 };

static void sort_few(struct ranked_move *moves, size_t count, enum player mover)
{
  for (size_t i = 1; i < count; i++) {
    struct ranked_move move = moves[i];
    size_t at = i;
    for (; at > 0 && compare_moves(&move, &moves[at - 1], &mover) < 0; at--)
      moves[at] = moves[at - 1];
    moves[at] = move;
  }
}

void answer_moves(const struct arena *arena, const struct table *table, const struct state *state,
                  uint32_t limit_plies, struct ranked_move *moves)
{
  struct choices choices = choices_of(arena, table, state, limit_plies);
  size_t count = (size_t)(choices.last - choices.first);
  enum player mover = state->turn;
  for (size_t i = 0; i < count; i++)
    moves[i] = (struct ranked_move){
        choices.first[i], as_counted(arena, cell_value(choice_cell(&choices, choices.first[i])))};
  if (count <= FEW_MOVES)
    sort_few(moves, count, mover);
  else
    qsort_r(moves, count, sizeof *moves, compare_moves, &mover);
}
