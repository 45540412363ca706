/* The output pass: what two attractors have logged, written into a table. */
#ifndef CATMOUSE_SOLVER_WRITE_TABLE_H
#define CATMOUSE_SOLVER_WRITE_TABLE_H

#include "solver/attractor.h"
#include "solver/table.h"

/* What one thread needs for it. */
struct table_writer {
  const struct attractor *attractors; /* by winner */
  struct table *table;
  uint8_t *tile;    /* 512 * 512 cells, zero between uses */
  uint8_t *rows;    /* nodes * 512 cells; NULL where nodes kept their numbers */
  uint8_t *staging; /* NULL where the table is written through the caches */
};

/* Bytes of `tile`, `rows` and `staging`; 0 for NULL. */
size_t table_writer_tile_bytes(const struct table *table);
size_t table_writer_rows_bytes(const struct table *table, const struct lists *lists);
size_t table_writer_staging_bytes(const struct table *table, const struct attractor *attractor);

/*
 * Writes the rows of 512 places of the mouse. The table must be zeroed. Different blocks may be
 * written at the same time.
 */
void write_table_block(struct table_writer *writer, uint32_t block);

#endif
