/*
 * An arena as bytes, to be kept on disk and made again: its canonical form, each number as LEB128
 * (seven bits a byte, the low ones first, the top bit set in all bytes but the last) after what it
 * cannot be less than is taken off. About a byte a move.
 */
#ifndef CATMOUSE_SOLVER_PACKED_H
#define CATMOUSE_SOLVER_PACKED_H

#include <stddef.h>
#include <stdint.h>

#include "solver/id.h"

/* How many bytes arena_pack() writes. */
uint64_t arena_packed_bytes(const struct arena *arena);

void arena_pack(const struct arena *arena, uint8_t *bytes);

/*
 * Makes the arena that `bytes` describe and `id` names; the caller owns it. The bytes are not
 * trusted: what is no graph or grid game, or has another id, is -EBADMSG. That every move can be
 * taken back is trusted, as the id is that of an arena that arena_new() made. Its start is not
 * known: a graph's is the game's own, a grid's is node 0. 0, -EBADMSG or -ENOMEM. Time and memory
 * O(length).
 */
int arena_unpack(const uint8_t *bytes, size_t length, const struct id *id, struct arena **arena);

#endif
