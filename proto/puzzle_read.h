/* Puzzles out of messages. Private to proto. */
#ifndef CATMOUSE_PROTO_PUZZLE_READ_H
#define CATMOUSE_PROTO_PUZZLE_READ_H

#include "proto/errors.h"
#include "proto/limits.h"
#include "proto/value.h"
#include "solver/puzzle.h"

/*
 * Reads the puzzle whose head is `value`: a map {graph} or {grid, catJump, mouseJump}, or LeetCode's bare list.
 * `puzzle` borrows from `*memory`, which the caller free()s.
 * 0 or -EBADMSG with `fault`: ERROR_BAD_PUZZLE naming the place, ERROR_LIMIT, ERROR_NO_MEMORY.
 */
int puzzle_read(const struct value *value, struct reader *reader,
                const struct message_limits *limits, struct puzzle *puzzle, void **memory,
                struct fault *fault);

#endif
