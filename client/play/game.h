/* A game between a person and the table: what was played, what may be played, and how it ended. */
#ifndef CATMOUSE_CLIENT_PLAY_GAME_H
#define CATMOUSE_CLIENT_PLAY_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/answer.h"
#include "solver/arena.h"
#include "solver/table.h"

struct ply {
  struct state before;
  uint32_t to;
  bool by_person;
  bool best; /* no move was better */
};

struct game_under_way {
  const struct arena *arena; /* borrowed, as is the table */
  const struct table *table;
  struct state start;
  struct state state; /* now */
  uint32_t limit_plies;
  enum player person;
  struct ply *plies; /* owned */
  uint32_t plies_count, plies_room;
  struct ranked_move *moves; /* of `state`, best first; owned */
  size_t moves_count;
};

enum game_end {
  GAME_GOES_ON,
  GAME_HOME,     /* someone is home */
  GAME_CAUGHT,   /* the cat stands on the mouse */
  GAME_REPEATED, /* in a graph, a position that was there before is a draw */
  GAME_LIMIT,    /* the game's plies are played */
  GAME_STUCK,    /* whoever is to move cannot */
};

/* 0 or -ENOMEM. */
int game_init(struct game_under_way *game, const struct arena *arena, const struct table *table,
              const struct state *start, uint32_t limit_plies, enum player person);
void game_deinit(struct game_under_way *game);

enum game_end game_end(const struct game_under_way *game);

/* Who has won, once the game is over. */
enum outcome game_outcome(const struct game_under_way *game);

/* What the state is worth now, the plies that are left counted. Only while the game goes on. */
struct answer_value game_value(const struct game_under_way *game);

/* Plays one of game->moves. 0 or -ENOMEM. */
int game_play(struct game_under_way *game, uint32_t to);

/* Takes back the person's last move and what came after it. False where there is none. */
bool game_undo(struct game_under_way *game);

#endif
