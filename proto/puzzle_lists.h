/* The lists that each game's puzzles are made of. Private to proto. */
#ifndef CATMOUSE_PROTO_PUZZLE_LISTS_H
#define CATMOUSE_PROTO_PUZZLE_LISTS_H

#include "proto/limits.h"
#include "proto/value.h"
#include "solver/puzzle.h"

/*
 * Lists are walked twice: they are counted and checked against the limits first, then one block holds
 * everything. 0: `puzzle` borrows from `*memory`, which the caller free()s. -EBADMSG with `fault`, as
 * puzzle_read().
 */

/* `lists` is the value just read, whatever it is; its children are passed. */
int graph_read(struct reader *reader, const struct value *lists,
               const struct message_limits *limits, struct puzzle *puzzle, void **memory,
               struct fault *fault);

/* The next `rows` values are the rows; `jump` is by enum player. */
int grid_read(struct reader reader, uint64_t rows, const int32_t jump[2],
              const struct message_limits *limits, struct puzzle *puzzle, void **memory,
              struct fault *fault);

#endif
