/* Playing against the table, line by line. */
#ifndef CATMOUSE_CLIENT_PLAY_PLAY_H
#define CATMOUSE_CLIENT_PLAY_PLAY_H

#include <stdio.h>

#include "client/play/game.h"
#include "client/show.h"

enum { LEVEL_PERFECT = 10 };

struct play {
  struct game_under_way game;
  const struct style *style;
  FILE *in;
  bool prompt;      /* `in` is a terminal */
  uint32_t level;   /* of 10 moves of the opponent, so many are best for sure */
  uint64_t chances; /* a generator's state */
};

/* Until the game is over, or `in` is. What is printed goes to stdout. 0 or -ENOMEM. */
int play_run(struct play *play);

#endif
