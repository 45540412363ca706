/* A tile: 512 lines, 512 x 512 bits. */
#ifndef CATMOUSE_SOLVER_ENGINE_TILE_H
#define CATMOUSE_SOLVER_ENGINE_TILE_H

#include "solver/engine/bit_line.h"

enum { TILE_WORDS = LINE_BITS * LINE_WORDS };

/*
 * Transposes a tile: bit j of line i becomes bit i of line j, for the first `lines` j; further ones
 * may be written.
 */
void tile_transpose(const uint64_t *from, uint64_t *to, uint32_t lines);

#endif
