/* The output pass: what two attractors have logged, written into a table. */
#ifndef CATMOUSE_SOLVER_WRITE_TABLE_H
#define CATMOUSE_SOLVER_WRITE_TABLE_H

#include "solver/attractor.h"
#include "solver/table.h"

/* What one thread needs for it. What a piece is, write_table.c says. */
struct table_writer {
  const struct attractor *attractors; /* by winner */
  struct table *table;
  uint8_t *tile; /* of a piece, as the logs have it; zero between uses */
  uint8_t *
      columns; /* a piece before it is put in place; with `staging` NULL where nodes kept their numbers */
  uint8_t *staging;
};

/* Bytes of `tile`, `columns` and `staging`; 0 for NULL. */
size_t table_writer_tile_bytes(const struct table *table, const struct lists *lists);
size_t table_writer_columns_bytes(const struct table *table, const struct lists *lists);
size_t table_writer_staging_bytes(const struct table *table, const struct lists *lists);

/* How many pieces a table has. */
uint32_t table_writer_pieces(const struct table *table, const struct lists *lists);

/* Writes a piece. The table must be zeroed. Different pieces may be written at the same time. */
void table_writer_write(struct table_writer *writer, uint32_t piece);

#endif
