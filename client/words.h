/* Outcomes, players, places and sizes in words. */
#ifndef CATMOUSE_CLIENT_WORDS_H
#define CATMOUSE_CLIENT_WORDS_H

#include <stddef.h>

#include "client/cmclient.h"

enum { WORDS_MAX = 96 };

const char *player_name(enum cm_player player);
const char *game_name(enum cm_game game);

/* "The cat wins in 22 plies." and its like. */
void verdict_words(enum cm_outcome outcome, uint32_t plies, char words[static WORDS_MAX]);

/* A node by its number or, in a grid of so many columns, by row:col. `cols` is 0 in a graph. */
void place_words(uint32_t cols, uint32_t node, char words[static WORDS_MAX]);

/* A state as --state takes it: "1,2,mouse" or, in a grid of so many columns, "2:0,1:1,cat". */
void state_words(uint32_t cols, const struct cm_state *state, char words[static WORDS_MAX]);

/* "1 ply", "2 plies". */
void count_words(uint64_t count, const char *one, const char *many, char words[static WORDS_MAX]);

#endif
