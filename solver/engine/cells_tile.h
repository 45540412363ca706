/* Tiles of a matrix of cells, put together before they are stored past the caches. */
#ifndef CATMOUSE_SOLVER_ENGINE_CELLS_TILE_H
#define CATMOUSE_SOLVER_ENGINE_CELLS_TILE_H

#include "solver/engine/cells.h"

/*
 * A tile of a matrix, put together before it is stored past the caches: rows from `row` and 512 columns from `column`
 * on, numbered as the matrix has them. What does not fill a cache line at the end of a row is kept for the tile to its
 * right, which must be put together next in the same memory; so tiles begin with column 0. `memory` has
 * cells_tile_bytes().
 */
size_t cells_tile_bytes(uint32_t rows, uint32_t width);
struct cells cells_tile(uint8_t *memory, uint32_t row, uint32_t column, uint32_t width);
void cells_tile_store(const struct cells *tile, const struct cells *to, uint32_t row,
                      uint32_t row_end, uint32_t column, uint32_t columns);

#endif
