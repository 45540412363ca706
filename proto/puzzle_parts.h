/* What puzzle_read.c, graph_read.c and grid_read.c share: the lists of each game, and complaints. */
#ifndef CATMOUSE_PROTO_PUZZLE_PARTS_H
#define CATMOUSE_PROTO_PUZZLE_PARTS_H

#include "proto/errors.h"
#include "proto/limits.h"
#include "proto/value.h"
#include "solver/puzzle.h"

/*
 * The lists of a puzzle whose map, if it has one, is read. 0: `puzzle` borrows from `*memory`, which the caller
 * free()s. -EBADMSG with `fault`, as puzzle_read().
 */

/* `lists` is the value just read, whatever it is; its children are passed. */
int graph_read(struct reader *reader, const struct value *lists,
               const struct message_limits *limits, struct puzzle *puzzle, void **memory,
               struct fault *fault);

/* The next `rows` values are the rows; `jump` is by enum player. */
int grid_read(struct reader reader, uint64_t rows, const int32_t jump[2],
              const struct message_limits *limits, struct puzzle *puzzle, void **memory,
              struct fault *fault);

/* Complaints, made into `fault`; each returns -EBADMSG. */
int puzzle_is_no(const char *place, const struct value *value, const char *kind,
                 struct fault *fault);
int puzzle_item_is_no(const char *list, uint64_t index, const struct value *value, const char *kind,
                      struct fault *fault);
int puzzle_over_limit(const char *what, uint64_t count, uint64_t limit, struct fault *fault);
int puzzle_no_memory(struct fault *fault);

#endif
