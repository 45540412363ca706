/*
 * Puzzles as text: a JSON object, or LeetCode's bare list. What LeetCode's test-case box holds is a
 * form of libcmclient's own.
 */
#ifndef CATMOUSE_PROTO_PUZZLE_TEXT_H
#define CATMOUSE_PROTO_PUZZLE_TEXT_H

#include <stddef.h>

#include "proto/errors.h"
#include "proto/limits.h"
#include "solver/puzzle.h"

/*
 * 0: `puzzle` borrows from `*memory`, which the caller free()s. -EBADMSG with `fault`: ERROR_PARSE for
 * what is no JSON, ERROR_BAD_PUZZLE, ERROR_LIMIT, ERROR_NO_MEMORY.
 */
int puzzle_from_json(const char *text, size_t length, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault);

#endif
