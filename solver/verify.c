/*
 * What a state's value must be, folded over its successors' cells. For the mover, a cell of its own win
 * and one of its loss fold with min and max alone:
 *
 *   best: the least plies among its winning moves, or NEVER
 *   worst: the most plies among its lost moves; NEVER once a move is undecided
 *
 * With the mouse to move, a whole row (mouse, every cat) is folded at a time, successor row by successor
 * row, so that the inner loop runs over adjacent cells and the compiler can use vectors. With the cat to
 * move the successors lie in one row.
 */
#include "solver/verify.h"

#include <errno.h>
#include <stdbool.h>

#include "solver/answer.h"

enum { CATS_AT_A_TIME = 1024 };

#define NEVER UINT32_MAX

/* The folds of a run of states that differ by the cat only. */
struct folds {
  uint32_t best[CATS_AT_A_TIME];
  uint32_t worst[CATS_AT_A_TIME];
};

static inline void fold(uint32_t cell, enum player mover, uint32_t *best, uint32_t *worst)
{
  uint32_t code = cell - 1;
  bool decided = cell != 0;
  bool won = decided && (code & 1) == (uint32_t)mover;
  uint32_t plies = decided ? code >> 1 : NEVER;
  uint32_t win = won ? plies : NEVER;
  *best = win < *best ? win : *best;
  *worst = plies > *worst ? plies : *worst;
}

#define FOLD_ROW(type)                                                                       \
  static void fold_row_##type(const struct table *table, size_t at, uint32_t count,          \
                              struct folds *folds)                                           \
  {                                                                                          \
    const type *cells = (const type *)table->cells + at;                                     \
    for (uint32_t i = 0; i < count; i++)                                                     \
      fold(cells[i], PLAYER_MOUSE, &folds->best[i], &folds->worst[i]);                       \
  }                                                                                          \
  static void fold_list_##type(const struct table *table, size_t row_at, const uint32_t *to, \
                               uint32_t count, uint32_t *best, uint32_t *worst)              \
  {                                                                                          \
    const type *row = (const type *)table->cells + row_at;                                   \
    for (uint32_t i = 0; i < count; i++)                                                     \
      fold(row[to[i]], PLAYER_CAT, best, worst);                                             \
  }

FOLD_ROW(uint8_t)
FOLD_ROW(uint16_t)
FOLD_ROW(uint32_t)

static void fold_row(const struct table *table, size_t at, uint32_t count, struct folds *folds)
{
  switch (table->width) {
  case 1: fold_row_uint8_t(table, at, count, folds); break;
  case 2: fold_row_uint16_t(table, at, count, folds); break;
  default: fold_row_uint32_t(table, at, count, folds); break;
  }
}

static void fold_list(const struct table *table, size_t row_at, const uint32_t *to, uint32_t count,
                      uint32_t *best, uint32_t *worst)
{
  switch (table->width) {
  case 1: fold_list_uint8_t(table, row_at, to, count, best, worst); break;
  case 2: fold_list_uint16_t(table, row_at, to, count, best, worst); break;
  default: fold_list_uint32_t(table, row_at, to, count, best, worst); break;
  }
}

static struct value finished_value(const struct arena *arena, const struct state *state)
{
  bool mouse_home = node_in(arena->home[PLAYER_MOUSE], state->mouse);
  bool mouse_wins = mouse_home && state->mouse != state->cat;
  return (struct value){mouse_wins ? OUTCOME_MOUSE : OUTCOME_CAT, 0};
}

/* What the successors make of a state: `best` and `worst` folded over `moves` of them. */
static struct value folded_value(enum player mover, uint32_t moves, uint32_t best, uint32_t worst)
{
  if (best != NEVER)
    return (struct value){(enum outcome)mover, best + 1};
  if (moves > 0 && worst != NEVER)
    return (struct value){(enum outcome)player_other(mover), worst + 1};
  return (struct value){OUTCOME_DRAW, PLIES_NONE};
}

static void check(const struct arena *arena, const struct table *table, struct state state,
                  struct value folded, struct verification *verification)
{
  if (node_in(arena->barred[PLAYER_CAT], state.cat))
    return;
  struct value stored = table_value(table, state);
  struct value proper = answer_over(arena, &state) ? finished_value(arena, &state) : folded;
  verification->checked++;
  if (stored.outcome == proper.outcome && stored.plies == proper.plies)
    return;
  if (verification->faults++ == 0) {
    verification->first = state;
    verification->stored = stored;
    verification->proper = proper;
  }
}

static void check_mouse_to_move(const struct arena *arena, const struct table *table,
                                uint32_t mouse, uint32_t cat, uint32_t count,
                                struct verification *verification)
{
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  size_t nodes = arena->nodes;
  struct folds folds;
  for (uint32_t i = 0; i < count; i++) {
    folds.best[i] = NEVER;
    folds.worst[i] = 0;
  }
  for (uint32_t i = moves->begin[mouse]; i < moves->end[mouse]; i++)
    fold_row(table, (nodes + moves->to[i]) * nodes + cat, count, &folds);
  uint32_t choices = moves->end[mouse] - moves->begin[mouse];
  for (uint32_t i = 0; i < count; i++) {
    struct value folded = folded_value(PLAYER_MOUSE, choices, folds.best[i], folds.worst[i]);
    check(arena, table, (struct state){mouse, cat + i, PLAYER_MOUSE}, folded, verification);
  }
}

static void check_cat_to_move(const struct arena *arena, const struct table *table, uint32_t mouse,
                              uint32_t cat, uint32_t count, struct verification *verification)
{
  const struct moves *moves = &arena->moves[PLAYER_CAT];
  size_t row_at = (size_t)mouse * arena->nodes;
  for (uint32_t there = cat; there < cat + count; there++) {
    uint32_t best = NEVER, worst = 0;
    uint32_t choices = moves->end[there] - moves->begin[there];
    fold_list(table, row_at, moves->to + moves->begin[there], choices, &best, &worst);
    struct value folded = folded_value(PLAYER_CAT, choices, best, worst);
    check(arena, table, (struct state){mouse, there, PLAYER_CAT}, folded, verification);
  }
}

static int check_turn(const struct arena *arena, const struct table *table, enum player turn,
                      const atomic_bool *stop, struct verification *verification)
{
  for (uint32_t mouse = 0; mouse < arena->nodes; mouse++) {
    if (node_in(arena->barred[PLAYER_MOUSE], mouse))
      continue;
    for (uint32_t cat = 0; cat < arena->nodes; cat += CATS_AT_A_TIME) {
      if (stop && atomic_load_explicit(stop, memory_order_relaxed))
        return -ECANCELED;
      uint32_t left = arena->nodes - cat;
      uint32_t count = left < CATS_AT_A_TIME ? left : CATS_AT_A_TIME;
      if (turn == PLAYER_MOUSE)
        check_mouse_to_move(arena, table, mouse, cat, count, verification);
      else
        check_cat_to_move(arena, table, mouse, cat, count, verification);
    }
  }
  return 0;
}

int verify(const struct arena *arena, const struct table *table, const atomic_bool *stop,
           struct verification *verification)
{
  struct verification found = {0};
  int status = check_turn(arena, table, PLAYER_MOUSE, stop, &found);
  if (status == 0)
    status = check_turn(arena, table, PLAYER_CAT, stop, &found);
  if (status == 0)
    *verification = found;
  return status;
}
