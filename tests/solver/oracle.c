#include "tests/solver/oracle.h"

#include <stdbool.h>
#include <stdlib.h>

static bool is_in(const uint64_t *set, uint32_t node)
{
  return (set[node >> 6] & (UINT64_C(1) << (node & 63))) != 0;
}

static size_t index_of(uint32_t nodes, int turn, uint32_t mouse, uint32_t cat)
{
  return ((size_t)turn * nodes + mouse) * nodes + cat;
}

/* The value a state has once states of fewer than `round` plies are known, or a draw as yet. */
static struct table_value look(const struct arena *arena, const struct table_value *values,
                               int turn, uint32_t mouse, uint32_t cat, uint32_t round)
{
  const struct moves *moves = &arena->moves[turn];
  uint32_t from = turn == 0 ? mouse : cat;
  bool all_lost = moves->begin[from] < moves->end[from];
  for (uint32_t i = moves->begin[from]; i < moves->end[from]; i++) {
    uint32_t to = moves->to[i];
    struct table_value next = turn == 0 ? values[index_of(arena->nodes, 1, to, cat)]
                                        : values[index_of(arena->nodes, 0, mouse, to)];
    if ((int)next.outcome == turn && next.plies == round - 1)
      return (struct table_value){next.outcome, round};
    if ((int)next.outcome != 1 - turn || next.plies >= round)
      all_lost = false;
  }
  return all_lost ? (struct table_value){turn == 0 ? OUTCOME_CAT : OUTCOME_MOUSE, round}
                  : (struct table_value){OUTCOME_DRAW, PLIES_NONE};
}

static void finish(const struct arena *arena, struct table_value *values)
{
  for (uint32_t mouse = 0; mouse < arena->nodes; mouse++) {
    for (uint32_t cat = 0; cat < arena->nodes; cat++) {
      bool barred = is_in(arena->barred[0], mouse) || is_in(arena->barred[1], cat);
      for (int turn = 0; turn < 2; turn++) {
        struct table_value *value = &values[index_of(arena->nodes, turn, mouse, cat)];
        *value = (struct table_value){OUTCOME_DRAW, PLIES_NONE};
        if (barred)
          continue;
        if (mouse == cat || is_in(arena->home[1], cat))
          *value = (struct table_value){OUTCOME_CAT, 0};
        if (mouse != cat && is_in(arena->home[0], mouse))
          *value = (struct table_value){OUTCOME_MOUSE, 0};
      }
    }
  }
}

static bool sweep(const struct arena *arena, struct table_value *values, uint32_t round)
{
  bool changed = false;
  for (int turn = 0; turn < 2; turn++) {
    for (uint32_t mouse = 0; mouse < arena->nodes; mouse++) {
      for (uint32_t cat = 0; cat < arena->nodes; cat++) {
        struct table_value *value = &values[index_of(arena->nodes, turn, mouse, cat)];
        if (value->outcome != OUTCOME_DRAW || is_in(arena->barred[0], mouse) ||
            is_in(arena->barred[1], cat))
          continue;
        *value = look(arena, values, turn, mouse, cat, round);
        changed |= value->outcome != OUTCOME_DRAW;
      }
    }
  }
  return changed;
}

struct table_value *oracle_solve(const struct arena *arena)
{
  struct table_value *values = calloc(2 * (size_t)arena->nodes * arena->nodes, sizeof *values);
  if (!values)
    abort();
  finish(arena, values);
  for (uint32_t round = 1; sweep(arena, values, round);)
    round++;
  return values;
}
