/*
 * The finished table: outcome and plies of every state of one arena. solve() makes it, and nobody
 * writes to it afterwards. Any thread may read it.
 *
 * A cell holds 0 where nobody can force the end, else 1 + 2 * plies + winner. Cells are 1, 2 or 4
 * bytes wide, the narrowest that holds the longest distance of this table.
 */
#ifndef CATMOUSE_SOLVER_TABLE_H
#define CATMOUSE_SOLVER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/game.h"

struct table {
  uint32_t nodes;
  uint32_t width; /* bytes a cell: 1, 2 or 4, in the machine's byte order */
  void *cells;    /* [turn][mouse][cat], nodes * nodes cells a turn */
};

/* A state's value without any limit. DRAW is an endless game, even where that counts as a win. */
struct table_value {
  enum outcome outcome;
  uint32_t plies; /* PLIES_NONE exactly where outcome is OUTCOME_DRAW */
};

static inline uint32_t cell_of(enum player winner, uint32_t plies)
{
  return 1 + 2 * plies + (uint32_t)winner;
}

static inline struct table_value cell_value(uint32_t cell)
{
  if (cell == 0)
    return (struct table_value){OUTCOME_DRAW, PLIES_NONE};
  return (struct table_value){(enum outcome)((cell - 1) & 1), (cell - 1) >> 1};
}

/* The number of a state's cell. */
static inline size_t table_place(const struct table *table, struct state state)
{
  return ((size_t)state.turn * table->nodes + state.mouse) * table->nodes + state.cat;
}

static inline uint32_t table_cell_at(const struct table *table, size_t place)
{
  switch (table->width) {
  case 1: return ((const uint8_t *)table->cells)[place];
  case 2: return ((const uint16_t *)table->cells)[place];
  default: return ((const uint32_t *)table->cells)[place];
  }
}

static inline uint32_t table_cell(const struct table *table, struct state state)
{
  return table_cell_at(table, table_place(table, state));
}

static inline struct table_value table_value(const struct table *table, struct state state)
{
  return cell_value(table_cell(table, state));
}

/* The narrowest width whose cells hold `longest_plies` for either winner. */
uint32_t table_width(uint32_t longest_plies);

/* Bytes of the cells, 2 * nodes * nodes * width. */
uint64_t table_bytes(uint32_t nodes, uint32_t width);

/* A table whose cells are still to be written, freed with table_free(). NULL when out of memory. */
struct table *table_new(uint32_t nodes, uint32_t width);

/*
 * The cells of a large table have no memory at first. It is given piece by piece, each once and
 * before its cells are used. table_pieces() is how many there are, 0 for a small table.
 * table_fill() returns 0 or -ENOMEM.
 */
uint32_t table_pieces(const struct table *table);
int table_fill(struct table *table, uint32_t piece);

void table_free(struct table *table);

#endif
