/* Making arenas and asking what they allow. */
#ifndef CATMOUSE_SOLVER_ARENA_H
#define CATMOUSE_SOLVER_ARENA_H

#include "solver/arena_type.h"
#include "solver/puzzle.h"

/*
 * Checks a puzzle and makes its arena, which the caller owns and frees with arena_free(). 0;
 * -EINVAL with `complaint` filled when the puzzle is bad; -ENOMEM. Time and memory O(nodes +
 * moves). A grid of more than 2^27 moves is bad: long jumps make so many of few cells.
 */
int arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint);
void arena_free(struct arena *arena);

/*
 * Any arena at all: unmirrored moves, several homes, whoever is stuck. For tests and for other
 * games. The lists and sets of `parts` are borrowed only for the call. No checks beyond asserts.
 */
int arena_new_from_parts(const struct arena *parts, struct arena **arena);

/* 2 * nodes * nodes: every placing of both players, either to move. */
uint64_t arena_states(const struct arena *arena);

/* Can this state be asked about? -EINVAL with `complaint` filled when not. */
int arena_check_state(const struct arena *arena, const struct state *state,
                      struct complaint *complaint);

#endif
