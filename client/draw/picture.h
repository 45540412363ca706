/* What a picture of a puzzle shows: who would win if one player stood elsewhere, the other staying where it is. */
#ifndef CATMOUSE_CLIENT_DRAW_PICTURE_H
#define CATMOUSE_CLIENT_DRAW_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "client/words.h"
#include "solver/answer.h"
#include "solver/arena.h"
#include "solver/table.h"

struct picture {
  const struct arena *arena; /* borrowed, as is the table */
  const struct table *table;
  struct state state;
  enum player who; /* whose places are coloured */
  uint32_t limit_plies;
  uint32_t best; /* where whoever is to move should go, or NODE_NONE where there is no move */
};

#define NODE_NONE UINT32_MAX

/* 0 or -ENOMEM. */
int picture_init(struct picture *picture, const struct arena *arena, const struct table *table,
                 const struct state *state, enum player who, uint32_t limit_plies);

/* Can picture->who stand on the node at all? */
bool picture_open(const struct picture *picture, uint32_t node);

/* Who wins if it does, with the same player to move. Only where it can. */
struct answer_value picture_value(const struct picture *picture, uint32_t node);

/* "7", "=" for a draw, "-" where endless play is a win. */
void picture_plies(struct answer_value value, char words[static WORDS_MAX]);

/* "The mouse wins in 7 plies." */
void picture_verdict(const struct picture *picture, char words[static WORDS_MAX]);

/* "mouse at 1, cat at 2, the mouse to move" */
void picture_places(const struct picture *picture, char words[static 3 * WORDS_MAX]);

#endif
