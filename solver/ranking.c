#include "solver/ranking.h"

void moves_of(const struct arena *arena, const struct state *state, const uint32_t **first,
              const uint32_t **last)
{
  const struct moves *moves = &arena->moves[state->turn];
  uint32_t from = state->turn == PLAYER_MOUSE ? state->mouse : state->cat;
  *first = moves->to + moves->begin[from];
  *last = state_is_over(arena, state) ? *first : moves->to + moves->end[from];
}

struct choices choices_of(const struct arena *arena, const struct table *table,
                          const struct state *state, uint32_t limit_plies)
{
  bool limited = limit_plies != LIMIT_NONE;
  struct choices choices = {
      .table = table,
      .place = table_place(table, state_after(*state, 0)),
      .stride = state->turn == PLAYER_MOUSE ? table->nodes : 1,
      .cell_max = limited ? 2 * (uint64_t)limit_plies : UINT64_MAX,
  };
  moves_of(arena, state, &choices.first, &choices.last);
  return choices;
}
