#include "solver/table.h"

#include <stdlib.h>

uint32_t table_width(uint32_t longest_plies)
{
  uint64_t largest_cell = 2 + 2 * (uint64_t)longest_plies;
  return largest_cell <= UINT8_MAX ? 1 : largest_cell <= UINT16_MAX ? 2 : 4;
}

uint64_t table_bytes(uint32_t nodes, uint32_t width)
{
  return 2 * (uint64_t)nodes * nodes * width;
}

struct table *table_new(uint32_t nodes, uint32_t width)
{
  struct table *table = malloc(sizeof *table);
  if (!table)
    return NULL;
  *table = (struct table){nodes, width, calloc(table_bytes(nodes, width), 1)};
  if (table->cells)
    return table;
  free(table);
  return NULL;
}

void table_free(struct table *table)
{
  if (!table)
    return;
  free(table->cells);
  free(table);
}
