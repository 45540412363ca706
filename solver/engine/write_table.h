/* The output pass: what two attractors have logged, written into a table. */
#ifndef CATMOUSE_SOLVER_ENGINE_WRITE_TABLE_H
#define CATMOUSE_SOLVER_ENGINE_WRITE_TABLE_H

#include "solver/engine/attractor.h"
#include "solver/table.h"

/* What one thread needs for it. What a piece is, write_table.c says. */
struct table_writer {
  const struct attractor *attractors; /* by winner */
  struct table *table;
  uint8_t *swapped; /* of a tile, as the logs have it; zero between uses */
  uint8_t *columns; /* a piece before it is put in place; NULL where nodes kept their numbers */
  uint8_t *staging; /* a tile on its way past the caches; NULL where tables go through them */
};

/* Where the job fails there is nothing to write, but to call table_writer_deinit(). */
void table_writer_init(struct table_writer *writer, const struct attractor *attractors,
                       struct table *table);
void table_writer_deinit(struct table_writer *writer);

/* How many pieces there are, and writing one. Different pieces may be written at the same time, by a writer each. */
uint32_t table_writer_pieces(const struct table_writer *writer);
void table_writer_write(struct table_writer *writer, uint32_t piece);

#endif
