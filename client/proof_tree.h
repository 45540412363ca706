/* A strategy as a tree that people can follow: each option of the other player, and its one answer. */
#ifndef CATMOUSE_CLIENT_PROOF_TREE_H
#define CATMOUSE_CLIENT_PROOF_TREE_H

#include "solver/arena.h"
#include "solver/proof.h"

/*
 * Prints a line for each option, indented by how many choices led there; moves without an alternative go on
 * the same line. What a line came to before is referred to by its number. Choices deeper than `levels` are left
 * out, and what the strategy does not say; then `*folded` is set. Numbers begin after `*lines`, which grows.
 * 0 or -ENOMEM.
 */
int proof_tree_print(const struct arena *arena, const struct strategy *strategy,
                     const struct state *start, uint32_t levels, uint32_t *lines, bool *folded);

#endif
