/* Puzzles out of messages and JSON: {graph}, {grid, catJump, mouseJump}, or LeetCode's list. */
#ifndef CATMOUSE_PROTO_PUZZLE_READ_H
#define CATMOUSE_PROTO_PUZZLE_READ_H

#include <stddef.h>

#include "proto/errors.h"
#include "proto/limits.h"
#include "solver/puzzle.h"

struct reader;
struct value;

/*
 * Reads the puzzle whose head is `value`, for proto alone. 0: `puzzle` borrows from `*memory`,
 * which the caller free()s. -EBADMSG with `fault`: ERROR_BAD_PUZZLE naming the place, ERROR_LIMIT,
 * ERROR_NO_MEMORY.
 */
int puzzle_read(const struct value *value, struct reader *reader,
                const struct message_limits *limits, struct puzzle *puzzle, void **memory,
                struct fault *fault);

/* The same of JSON text; ERROR_PARSE for what is no JSON. */
int puzzle_from_json(const char *text, size_t length, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault);

#endif
