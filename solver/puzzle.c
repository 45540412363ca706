#include "solver/puzzle.h"

struct grid_size grid_size(const struct puzzle *puzzle)
{
  struct grid_size size = {.rows = puzzle->grid.rows};
  for (uint32_t row = 0; row < puzzle->grid.rows; row++) {
    uint32_t length = puzzle->grid.row_length[row];
    size.cells += length;
    size.widest = length > size.widest ? length : size.widest;
  }
  return size;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

uint64_t grid_moves_max(const struct grid_size *size, const int32_t jump[2])
{
  uint64_t moves = 0;
  for (int player = 0; player < 2; player++) {
    uint64_t reach = jump[player] > 0 ? 2 * (uint64_t)jump[player] : 0;
    moves += size->cells * (1 + smaller(reach, size->widest) + smaller(reach, size->rows));
  }
  return moves;
}
