/*
 * A state's value is folded over its successors: the least rank among the mover's winning moves, else
 * the highest of all, undecided being highest (verify_fold.h). The state must be decided by the same
 * winner a ply later, which is two ranks more.
 *
 * 64 states that differ by the cat only are folded at a time. Where all of them fit and the game is
 * over in none, that was all; else they are looked at one by one.
 */
#include "solver/verify.h"

#include <errno.h>
#include <stdbool.h>

#include "solver/answer.h"

/* A word of the arena's sets. */
enum { CATS = 64 };

struct run {
  const struct arena *arena;
  const struct table *table;
  enum player turn;
  uint32_t mouse, cat, count; /* the first cat's place, and how many */
};

/* The row of a place of the mouse. */
static const void *run_cells(const struct run *run, enum player turn, uint32_t mouse)
{
  size_t row = (size_t)turn * run->arena->nodes + mouse;
  return (const uint8_t *)run->table->cells + row * run->arena->nodes * run->table->width;
}

#define CELL          uint8_t
#define BY_CELL(name) name##_narrow
#include "solver/verify_fold.h"

#define CELL          uint16_t
#define BY_CELL(name) name##_middle
#include "solver/verify_fold.h"

#define CELL          uint32_t
#define BY_CELL(name) name##_wide
#include "solver/verify_fold.h"

/* The ranks that successors fold to, in the type of the cells. */
union ranks {
  uint8_t narrow[CATS];
  uint16_t middle[CATS];
  uint32_t wide[CATS];
};

struct folder {
  void (*fold[2])(const struct run *run, void *folded); /* by turn */
  bool (*fits)(const struct run *run, const void *folded);
  uint32_t (*proper_cell)(const void *folded, uint32_t at);
};

/* By bytes a cell. */
static const struct folder folders[] = {
    [1] = {{fold_mouse_narrow, fold_cat_narrow}, fits_narrow, proper_cell_narrow},
    [2] = {{fold_mouse_middle, fold_cat_middle}, fits_middle, proper_cell_middle},
    [4] = {{fold_mouse_wide, fold_cat_wide}, fits_wide, proper_cell_wide},
};

static struct table_value finished_value(const struct arena *arena, const struct state *state)
{
  bool mouse_home = node_in(arena->home[PLAYER_MOUSE], state->mouse);
  bool mouse_wins = mouse_home && state->mouse != state->cat;
  return (struct table_value){mouse_wins ? OUTCOME_MOUSE : OUTCOME_CAT, 0};
}

static void check_state(const struct run *run, struct state state, uint32_t proper_cell,
                        struct verification *verification)
{
  if (node_in(run->arena->barred[PLAYER_CAT], state.cat))
    return;
  struct table_value stored = table_value(run->table, state), proper = cell_value(proper_cell);
  if (answer_over(run->arena, &state))
    proper = finished_value(run->arena, &state);
  verification->checked++;
  if (stored.outcome == proper.outcome && stored.plies == proper.plies)
    return;
  if (verification->faults++ == 0) {
    verification->first = state;
    verification->stored = stored;
    verification->proper = proper;
  }
}

/* May the game be over, or the cat not be there, in one of the states? */
static bool has_ends(const struct run *run)
{
  const struct arena *arena = run->arena;
  uint32_t word = run->cat / CATS;
  return node_in(arena->home[PLAYER_MOUSE], run->mouse) || run->mouse / CATS == word ||
         (arena->home[PLAYER_CAT][word] | arena->barred[PLAYER_CAT][word]) != 0;
}

static void check_run(const struct run *run, struct verification *verification)
{
  const struct folder *folder = &folders[run->table->width];
  union ranks ranks;
  folder->fold[run->turn](run, &ranks);
  if (!has_ends(run) && folder->fits(run, &ranks)) {
    verification->checked += run->count;
    return;
  }
  for (uint32_t at = 0; at < run->count; at++)
    check_state(run, (struct state){run->mouse, run->cat + at, run->turn},
                folder->proper_cell(&ranks, at), verification);
}

static int check_turn(const struct arena *arena, const struct table *table, enum player turn,
                      const atomic_bool *stop, struct verification *verification)
{
  for (uint32_t mouse = 0; mouse < arena->nodes; mouse++) {
    if (node_in(arena->barred[PLAYER_MOUSE], mouse))
      continue;
    for (uint32_t cat = 0; cat < arena->nodes; cat += CATS) {
      if (stop && atomic_load_explicit(stop, memory_order_relaxed))
        return -ECANCELED;
      uint32_t left = arena->nodes - cat;
      struct run run = {arena, table, turn, mouse, cat, left < CATS ? left : CATS};
      check_run(&run, verification);
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
