/* How moves compare for whoever makes them. Private to the solver. */
#ifndef CATMOUSE_SOLVER_RANKING_H
#define CATMOUSE_SOLVER_RANKING_H

#include <stdint.h>

#include "solver/arena.h"
#include "solver/table.h"

/* The mover's moves in a state, `last` not included; none where the game is over. */
void moves_of(const struct arena *arena, const struct state *state, const uint32_t **first,
              const uint32_t **last);

/* The mover's moves of one state, and where the table has the states after them. */
struct choices {
  const uint32_t *first, *last; /* nodes, see moves_of() */
  const struct table *table;
  size_t place, stride; /* a move to `to` leads to the state of cell place + stride * to */
  uint64_t cell_max;    /* greater cells decide too late for the limit */
};

/* Where `limit_plies` are left before the move. */
struct choices choices_of(const struct arena *arena, const struct table *table,
                          const struct state *state, uint32_t limit_plies);

/* The cell of the state after a move; 0 where it is decided too late. */
static inline uint32_t choice_cell(const struct choices *choices, uint32_t to)
{
  uint32_t cell = table_cell_at(choices->table, choices->place + choices->stride * to);
  return cell <= choices->cell_max ? cell : 0;
}

/*
 * Less is better for `mover`: wins by fewest plies, then endless play, then losses by most plies.
 */
static inline uint64_t cell_rank(uint32_t cell, enum player mover)
{
  const uint64_t endless = UINT64_C(1) << 32;
  if (cell == 0)
    return endless;
  return cell_value(cell).outcome == (enum outcome)mover ? cell : 2 * endless - cell;
}

#endif
