/* A table is one block: small ones from malloc, large ones in huge pages. */
#include "solver/table.h"

#include <stdlib.h>

#include "solver/page_pool.h"

uint32_t table_width(uint32_t longest_plies)
{
  uint64_t largest_cell = 2 + 2 * (uint64_t)longest_plies;
  return largest_cell <= UINT8_MAX ? 1 : largest_cell <= UINT16_MAX ? 2 : 4;
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
  struct table *table = bytes < PAGES_FROM_BYTES ? malloc(bytes) : pages_alloc(bytes);
  if (!table)
    return NULL;
  if (bytes >= PAGES_FROM_BYTES && pages_fill(table, PAGES_PIECE_BYTES, NULL) < 0) {
    pages_free(table, bytes);
    return NULL;
  }
  *table = (struct table){nodes, width, (uint8_t *)table + CELLS_OFFSET};
  return table;
}

/* The first piece, which holds the table itself, is filled from the beginning. */
uint32_t table_pieces(const struct table *table)
{
  return (uint32_t)((whole_bytes(table->nodes, table->width) - 1) / PAGES_PIECE_BYTES);
}

int table_fill(struct table *table, uint32_t piece)
{
  return pages_fill((uint8_t *)table + (uint64_t)(piece + 1) * PAGES_PIECE_BYTES, PAGES_PIECE_BYTES,
                    NULL);
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
