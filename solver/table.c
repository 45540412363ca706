/* A table is one block: small ones from malloc, large ones in huge pages. */
#include "solver/table.h"

#include <stdlib.h>

#include "solver/pages.h"

enum { WIDEST = 4 };

uint32_t table_width(uint32_t longest_plies)
{
  uint64_t largest_cell = 2 + 2 * (uint64_t)longest_plies;
  return largest_cell <= UINT8_MAX ? 1 : largest_cell <= UINT16_MAX ? 2 : WIDEST;
}

uint64_t table_bytes(uint32_t nodes, uint32_t width)
{
  return 2 * (uint64_t)nodes * nodes * width;
}

/* Cells begin a cache line after the table itself. */
enum { CELLS_OFFSET = 64 };

static uint64_t whole_bytes(uint32_t nodes, uint32_t width)
{
  return CELLS_OFFSET + table_bytes(nodes, width);
}

struct table *table_new(uint32_t nodes, uint32_t width)
{
  uint64_t bytes = whole_bytes(nodes, width);
  struct table *table = bytes < PAGES_FROM_BYTES ? calloc(1, bytes) : pages_alloc(bytes);
  if (table)
    *table = (struct table){nodes, width, (uint8_t *)table + CELLS_OFFSET};
  return table;
}

struct table *table_reserve(uint32_t nodes)
{
  return whole_bytes(nodes, 1) < PAGES_FROM_BYTES ? NULL : table_new(nodes, WIDEST);
}

void table_settle(struct table *table, uint32_t width)
{
  pages_cut(table, whole_bytes(table->nodes, table->width), whole_bytes(table->nodes, width));
  table->width = width;
}

void table_free(struct table *table)
{
  if (!table)
    return;
  uint64_t bytes = whole_bytes(table->nodes, table->width);
  if (bytes < PAGES_FROM_BYTES)
    free(table);
  else
    pages_free(table, bytes);
}
