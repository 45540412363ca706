/* The proof of a state's outcome, read off a finished table. */
#ifndef CATMOUSE_SOLVER_EXPLAIN_H
#define CATMOUSE_SOLVER_EXPLAIN_H

#include "solver/arena.h"
#include "solver/proof.h"
#include "solver/table.h"

/*
 * Proves what answer_value() says of `state`, which has passed arena_check_state(). Of the moves
 * that serve the strategy (for a win, the best ones alone), those are taken that add few states: a
 * greedy choice, since the smallest strategy is hard to find (it is a set cover). 0, and the caller
 * owns `proof` (proof_deinit()); -EFBIG where the proof takes more than `states_max` states, or
 * looks at more than ten moves for each of so many and one for each node; -ENOMEM. Time
 * O(states_max + nodes), memory 48 bytes a state and more.
 */
int explain(const struct arena *arena, const struct table *table, const struct state *state,
            uint32_t limit_plies, uint32_t states_max, struct proof *proof);

/*
 * The beginning of such a proof, for where the whole is too large: the states of the first
 * `depth_plies` plies. It proves nothing, as states that its moves lead to are missing. Of as many
 * best moves as there are, the choice may be another than that of explain().
 */
int explain_beginning(const struct arena *arena, const struct table *table,
                      const struct state *state, uint32_t limit_plies, uint32_t depth_plies,
                      uint32_t states_max, struct proof *proof);

#endif
