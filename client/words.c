/* Plain sentences; nothing here fails. */
#include "client/words.h"

#include <inttypes.h>
#include <stdio.h>

const char *player_name(enum cm_player player)
{
  return player == CM_MOUSE ? "mouse" : "cat";
}

const char *game_name(enum cm_game game)
{
  return game == CM_GRAPH ? "graph" : "grid";
}

void count_words(uint64_t count, const char *one, const char *many, char words[static WORDS_MAX])
{
  snprintf(words, WORDS_MAX, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

void verdict_words(enum cm_outcome outcome, uint32_t plies, char words[static WORDS_MAX])
{
  char count[WORDS_MAX];
  count_words(plies, "ply", "plies", count);
  if (outcome == CM_DRAW)
    snprintf(words, WORDS_MAX, "Nobody can force a win: a draw.");
  else if (plies == CM_PLIES_NONE)
    snprintf(words, WORDS_MAX, "The %s wins: nobody can force the end.",
             player_name((enum cm_player)outcome));
  else if (plies == 0)
    snprintf(words, WORDS_MAX, "The %s has won.", player_name((enum cm_player)outcome));
  else
    snprintf(words, WORDS_MAX, "The %s wins in %.60s.", player_name((enum cm_player)outcome),
             count);
}

void place_words(uint32_t cols, uint32_t node, char words[static WORDS_MAX])
{
  if (cols > 0)
    snprintf(words, WORDS_MAX, "%" PRIu32 ":%" PRIu32, node / cols, node % cols);
  else
    snprintf(words, WORDS_MAX, "%" PRIu32, node);
}

void state_words(uint32_t cols, const struct cm_state *state, char words[static WORDS_MAX])
{
  char mouse[WORDS_MAX], cat[WORDS_MAX];
  place_words(cols, state->mouse, mouse);
  place_words(cols, state->cat, cat);
  snprintf(words, WORDS_MAX, "%.30s,%.30s,%s", mouse, cat, player_name(state->turn));
}
