#include "client/draw/picture.h"

#include <errno.h>
#include <stdlib.h>

int picture_init(struct picture *picture, const struct arena *arena, const struct table *table,
                 const struct state *state, enum player who, uint32_t limit_plies)
{
  size_t count = answer_move_count(arena, state);
  struct ranked_move *moves = malloc((count + 1) * sizeof *moves);
  if (!moves)
    return -ENOMEM;
  answer_moves(arena, table, state, limit_plies, moves);
  *picture = (struct picture){.arena = arena,
                              .table = table,
                              .state = *state,
                              .who = who,
                              .limit_plies = limit_plies,
                              .best = count > 0 ? moves[0].to : NODE_NONE};
  free(moves);
  return 0;
}

bool picture_open(const struct picture *picture, uint32_t node)
{
  return !node_in(picture->arena->barred[picture->who], node);
}

struct answer_value picture_value(const struct picture *picture, uint32_t node)
{
  struct state state = picture->state;
  *(picture->who == PLAYER_MOUSE ? &state.mouse : &state.cat) = node;
  return answer_value(picture->arena, picture->table, &state, picture->limit_plies);
}

void picture_plies(struct answer_value value, char words[static WORDS_MAX])
{
  if (value.plies != PLIES_NONE)
    snprintf(words, WORDS_MAX, "%u", value.plies);
  else
    snprintf(words, WORDS_MAX, "%s", value.outcome == OUTCOME_DRAW ? "=" : "-");
}

void picture_verdict(const struct picture *picture, char words[static WORDS_MAX])
{
  struct answer_value value =
      answer_value(picture->arena, picture->table, &picture->state, picture->limit_plies);
  verdict_words((enum cm_outcome)value.outcome, value.plies, words);
}

void picture_places(const struct picture *picture, char words[static 3 * WORDS_MAX])
{
  char mouse[WORDS_MAX], cat[WORDS_MAX];
  place_words(picture->arena->cols, picture->state.mouse, mouse);
  place_words(picture->arena->cols, picture->state.cat, cat);
  snprintf(words, 3 * WORDS_MAX, "mouse at %s, cat at %s, the %s to move", mouse, cat,
           player_name((enum cm_player)picture->state.turn));
}
