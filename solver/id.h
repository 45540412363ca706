/*
 * The name of an arena: BLAKE2b-256 over its canonical form (canonical.h). Where the players
 * start is not part of it, nor is the order in which a puzzle lists neighbours.
 */
#ifndef CATMOUSE_SOLVER_ID_H
#define CATMOUSE_SOLVER_ID_H

#include <stdint.h>

#include "solver/arena.h"

enum { ID_BYTES = 32, ID_TEXT = 2 * ID_BYTES, ID_PREFIX_MIN = 6 };

struct id {
  uint8_t bytes[ID_BYTES];
};

void arena_id(const struct arena *arena, struct id *id);

/* Lower-case hex, NUL-terminated. */
void id_format(const struct id *id, char text[static ID_TEXT + 1]);

#endif
