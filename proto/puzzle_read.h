/* Puzzles out of a decoded value. Private to proto. */
#ifndef CATMOUSE_PROTO_PUZZLE_READ_H
#define CATMOUSE_PROTO_PUZZLE_READ_H

#include <msgpack.h>

#include "proto/errors.h"
#include "proto/limits.h"
#include "solver/puzzle.h"

/*
 * A map {graph} or {grid, catJump, mouseJump}, or LeetCode's bare list. Counts come first and are
 * checked against the limits, then one block holds everything: `*memory`, which the caller free()s.
 * 0 or -EBADMSG with `fault`: ERROR_BAD_PUZZLE naming the place, ERROR_LIMIT, ERROR_NO_MEMORY.
 */
int puzzle_read(const msgpack_object *object, const struct message_limits *limits,
                struct puzzle *puzzle, void **memory, struct fault *fault);

#endif
