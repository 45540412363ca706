/* A table is one block: small ones from malloc, large ones in huge pages. */
#include "solver/table.h"

#include <stdlib.h>

#include "solver/pages.h"

uint32_t table_width(uint32_t longest_plies)
{
  uint64_t largest_cell = 2 + 2 * (uint64_t)longest_plies;
  return largest_cell <= UINT8_MAX ? 1 : largest_cell <= UINT16_MAX ? 2 : TABLE_WIDEST;
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

/* The first piece, which the table itself is in, is filled from the beginning. */
static void *allocate(uint64_t bytes)
{
  if (bytes < PAGES_FROM_BYTES)
    return malloc(bytes);
  void *pages = pages_alloc(bytes);
  if (pages)
    pages_fill(pages, PAGES_PIECE_BYTES);
  return pages;
}

struct table *table_new(uint32_t nodes, uint32_t width)
{
  struct table *table = allocate(whole_bytes(nodes, width));
  if (table)
    *table = (struct table){nodes, width, (uint8_t *)table + CELLS_OFFSET};
  return table;
}

uint32_t table_pieces(const struct table *table, uint32_t width)
{
  return (uint32_t)((whole_bytes(table->nodes, width) - 1) / PAGES_PIECE_BYTES);
}

void table_fill(struct table *table, uint32_t piece)
{
  pages_fill((uint8_t *)table + (uint64_t)(piece + 1) * PAGES_PIECE_BYTES, PAGES_PIECE_BYTES);
}

bool table_is_large(uint32_t nodes)
{
  return whole_bytes(nodes, 1) >= PAGES_FROM_BYTES;
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
