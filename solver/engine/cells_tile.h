/* Tiles of a matrix of cells, put together before they are stored past the caches. */
#ifndef CATMOUSE_SOLVER_ENGINE_CELLS_TILE_H
#define CATMOUSE_SOLVER_ENGINE_CELLS_TILE_H

#include "solver/engine/cells.h"

/*
 * A tile of a matrix: rows from `row` and 512 columns from `column` on, with the numbers that they
 * have in the matrix. It is put together in `memory` of cells_tile_bytes(), and then stored past
 * the caches. Cells at the end of a row that do not fill a cache line stay in `memory` for the tile
 * to the right. So a row of tiles begins with column 0, and each is stored before the next is put
 * together.
 */
size_t cells_tile_bytes(uint32_t rows, uint32_t width);
struct cells cells_tile(uint8_t *memory, uint32_t row, uint32_t column, uint32_t width);
void cells_tile_store(const struct cells *tile, const struct cells *to, uint32_t row,
                      uint32_t row_end, uint32_t column, uint32_t columns);

#endif
