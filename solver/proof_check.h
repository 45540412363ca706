/* Checks a proof by the rules of its game alone: no table, no solver, nothing that made it. */
#ifndef CATMOUSE_SOLVER_PROOF_CHECK_H
#define CATMOUSE_SOLVER_PROOF_CHECK_H

#include "solver/arena.h"
#include "solver/proof.h"

/*
 * Does `proof` prove its claim in `arena`? Anything at all may be in it: the numbers of a file,
 * unchecked. 0; -EINVAL with `complaint` naming the first state that fails, in the order of the
 * proof; -ENOMEM. Time O(states * moves), memory 32 bytes a state.
 *
 * What is checked. Each state can be asked about, is not over, and comes once in its strategy.
 * Where the strategy's player moves, it has a move that the rules allow; where the other does, each
 * of its moves counts. After each of these, a strategy that wins has won, or has the state reached
 * with fewer plies; one that holds has not lost, and has the state reached with at most one ply
 * less, unless none is left. Whoever has to move and cannot ends the game as endless play does:
 * that holds, and wins nothing.
 */
int proof_check(const struct arena *arena, const struct proof *proof, struct complaint *complaint);

#endif
