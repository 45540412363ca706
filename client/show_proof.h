/* A proof in words, then as trees of moves. */
#ifndef CATMOUSE_CLIENT_SHOW_PROOF_H
#define CATMOUSE_CLIENT_SHOW_PROOF_H

#include "client/show.h"
#include "solver/arena.h"
#include "solver/proof.h"

/*
 * Choices deeper than `levels` are folded; sets `folded` where there are any. What a search of 2n plies would say
 * is said where that would be wrong. The proof may be the beginning of one, then not `whole`. 0 or -ENOMEM.
 */
int show_proof(const struct style *style, const struct arena *arena, const struct proof *proof,
               bool whole, uint32_t levels, bool *folded);

#endif
