/*
 * A state's value is folded over its successors: the least rank among the mover's winning moves,
 * else the highest of all, undecided being highest (verify_fold.h). The state must be decided by
 * the same winner a ply later, which is two ranks more.
 *
 * 64 states that differ by the place of whoever waits are folded at a time, their successors side
 * by side: the table's rows are so for the mouse's turn, and 64 rows turned into columns for the
 * cat's. Where all of them fit and the game is over in none, that was all; else they are looked at
 * one by one.
 */
#include "solver/verify.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A word of the arena's sets. */
enum { RUN_STATES = 64 };

struct run {
  const struct arena *arena;
  const struct table *table;
  enum player mover;
  uint32_t place;   /* of the mover */
  uint32_t waiting; /* the first place of who waits */
  uint32_t count;   /* of such places */
  const uint8_t
      *after; /* the cells of the states after a move to 0; those after one to 1 lie a stride on */
  size_t stride;     /* in cells */
  const void *cells; /* of the states themselves */
};

#define CELL          uint8_t
#define BY_CELL(name) name##_narrow
#include "solver/verify_fold.h"

#define CELL          uint16_t
#define BY_CELL(name) name##_middle
#include "solver/verify_fold.h"

#define CELL          uint32_t
#define BY_CELL(name) name##_wide
#include "solver/verify_fold.h"

/* Cells, or the ranks that successors fold to, in the type of the cells. */
union run_cells {
  uint8_t narrow[RUN_STATES];
  uint16_t middle[RUN_STATES];
  uint32_t wide[RUN_STATES];
};

struct folder {
  void (*fold)(const struct run *run, void *folded);
  bool (*fits)(const struct run *run, const void *folded);
  uint32_t (*proper_cell)(const void *folded, uint32_t at);
  void (*turn_rows)(const void *rows, uint32_t count, uint32_t nodes, void *columns);
};

/* By bytes a cell. */
static const struct folder folders[] = {
    [1] = {fold_narrow, fits_narrow, proper_cell_narrow, turn_rows_narrow},
    [2] = {fold_middle, fits_middle, proper_cell_middle, turn_rows_middle},
    [4] = {fold_wide, fits_wide, proper_cell_wide, turn_rows_wide},
};

static void note_fault(const struct table *table, struct state state, struct table_value stored,
                       struct table_value proper, struct verification *verification)
{
  bool is_first = verification->faults++ == 0 ||
                  table_place(table, state) < table_place(table, verification->first);
  if (!is_first)
    return;
  verification->first = state;
  verification->stored = stored;
  verification->proper = proper;
}

static void check_state(const struct run *run, uint32_t waiting, uint32_t proper_cell,
                        struct verification *verification)
{
  const struct arena *arena = run->arena;
  bool is_mouse = run->mover == PLAYER_MOUSE;
  struct state state = {is_mouse ? run->place : waiting, is_mouse ? waiting : run->place,
                        run->mover};
  if (node_in(arena->barred[player_other(run->mover)], waiting))
    return;
  struct table_value stored = table_value(run->table, state), proper = cell_value(proper_cell);
  enum outcome winner = state_winner(arena, &state);
  if (winner != OUTCOME_DRAW)
    proper = (struct table_value){winner, 0};
  verification->checked++;
  if (stored.outcome != proper.outcome || stored.plies != proper.plies)
    note_fault(run->table, state, stored, proper, verification);
}

/* May the game be over, or who waits not be there, in one of the states? */
static bool has_ends(const struct run *run)
{
  const struct arena *arena = run->arena;
  enum player waiter = player_other(run->mover);
  uint32_t word = run->waiting / RUN_STATES;
  return node_in(arena->home[run->mover], run->place) || run->place / RUN_STATES == word ||
         (arena->home[waiter][word] | arena->barred[waiter][word]) != 0;
}

static void check_run(const struct run *run, struct verification *verification)
{
  const struct folder *folder = &folders[run->table->width];
  union run_cells ranks;
  folder->fold(run, &ranks);
  if (!has_ends(run) && folder->fits(run, &ranks)) {
    verification->checked += run->count;
    return;
  }
  for (uint32_t at = 0; at < run->count; at++)
    check_state(run, run->waiting + at, folder->proper_cell(&ranks, at), verification);
}

static bool is_stopped(const atomic_bool *stop)
{
  return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static uint32_t run_count(const struct arena *arena, uint32_t waiting)
{
  uint32_t left = arena->nodes - waiting;
  return left < RUN_STATES ? left : RUN_STATES;
}

static const uint8_t *cells_of(const struct table *table, struct state state)
{
  return (const uint8_t *)table->cells + table_place(table, state) * table->width;
}

static int check_mouse_turn(const struct arena *arena, const struct table *table,
                            const atomic_bool *stop, struct verification *verification)
{
  for (uint32_t mouse = 0; mouse < arena->nodes; mouse++) {
    if (node_in(arena->barred[PLAYER_MOUSE], mouse))
      continue;
    for (uint32_t cat = 0; cat < arena->nodes; cat += RUN_STATES) {
      struct run run = {.arena = arena,
                        .table = table,
                        .mover = PLAYER_MOUSE,
                        .place = mouse,
                        .waiting = cat,
                        .count = run_count(arena, cat),
                        .after = cells_of(table, (struct state){0, cat, PLAYER_CAT}),
                        .stride = arena->nodes,
                        .cells = cells_of(table, (struct state){mouse, cat, PLAYER_MOUSE})};
      if (is_stopped(stop))
        return -ECANCELED;
      check_run(&run, verification);
    }
  }
  return 0;
}

/* Of 64 places of the mouse: `columns` has for each place of the cat the cells of both turns. */
static int check_cat_block(struct run *run, uint8_t *columns, const atomic_bool *stop,
                           struct verification *verification)
{
  const struct table *table = run->table;
  const struct folder *folder = &folders[table->width];
  uint32_t nodes = table->nodes;
  size_t column_bytes = (size_t)RUN_STATES * table->width;
  uint8_t *cells = columns + nodes * column_bytes;
  run->after = columns;
  folder->turn_rows(cells_of(table, (struct state){run->waiting, 0, PLAYER_MOUSE}), run->count,
                    nodes, columns);
  folder->turn_rows(cells_of(table, (struct state){run->waiting, 0, PLAYER_CAT}), run->count, nodes,
                    cells);
  for (run->place = 0; run->place < nodes; run->place++) {
    run->cells = cells + run->place * column_bytes;
    if (is_stopped(stop))
      return -ECANCELED;
    if (!node_in(run->arena->barred[PLAYER_CAT], run->place))
      check_run(run, verification);
  }
  return 0;
}

static int check_cat_turn(const struct arena *arena, const struct table *table,
                          const atomic_bool *stop, struct verification *verification)
{
  struct run run = {.arena = arena, .table = table, .mover = PLAYER_CAT, .stride = RUN_STATES};
  uint8_t *columns = malloc(2 * (size_t)table->nodes * RUN_STATES * table->width);
  int status = columns ? 0 : -ENOMEM;
  for (; status == 0 && run.waiting < arena->nodes; run.waiting += RUN_STATES) {
    run.count = run_count(arena, run.waiting);
    status = check_cat_block(&run, columns, stop, verification);
  }
  free(columns);
  return status;
}

int verify(const struct arena *arena, const struct table *table, const atomic_bool *stop,
           struct verification *verification)
{
  struct verification found = {0};
  int status = check_mouse_turn(arena, table, stop, &found);
  if (status == 0)
    status = check_cat_turn(arena, table, stop, &found);
  if (status == 0)
    *verification = found;
  return status;
}
