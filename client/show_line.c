/* Each ply with the state that it leads to, as --state takes it. */
#include "client/show_line.h"

#include <inttypes.h>
#include <stdio.h>

#include "client/show_grid.h"
#include "client/words.h"

static void show_end(const struct shown_line *shown)
{
  static const char *const ends[] = {
      [CM_END_HOME] = "home",
      [CM_END_CAUGHT] = "caught",
      [CM_END_REPEATS] = "and so on: this state was there before",
      [CM_END_STUCK] = "no move is left",
      [CM_END_MAX] = "as many moves as asked for",
  };
  char plies[WORDS_MAX];
  count_words(shown->limit_plies, "ply", "plies", plies);
  if (shown->line.end != CM_END_LIMIT)
    printf("     %s\n", ends[shown->line.end]);
  else if (shown->limited)
    printf("     cut by the limit of %s\n", plies);
  else
    puts("     cut by the game's own limit");
}

static void show_ply(const struct shown_line *shown, uint32_t ply, const struct cm_state *before,
                     const struct cm_state *after)
{
  char place[WORDS_MAX], state[WORDS_MAX], move[2 * WORDS_MAX];
  const bool is_mouse = before->turn == CM_MOUSE;
  const bool stays = is_mouse ? before->mouse == after->mouse : before->cat == after->cat;
  place_words(shown->line.cols, shown->moves[ply], place);
  state_words(shown->line.cols, after, state);
  snprintf(move, sizeof move, "%-5s %s %s", player_name(before->turn), stays ? "stays at" : "to",
           place);
  if (ply < shown->known_count && shown->only[ply])
    printf("%3" PRIu32 ". %-18s %-16s only move\n", ply + 1, move, state);
  else
    printf("%3" PRIu32 ". %-18s %s\n", ply + 1, move, state);
}

void show_line(const struct style *style, const struct shown_line *shown)
{
  const struct cm_verdict verdict = {shown->line.outcome, shown->line.plies};
  struct cm_state state = shown->line.state;
  char words[LIMITED_WORDS_MAX];
  if (shown->limited)
    limited_words(shown->limited, &verdict, words);
  else
    verdict_words(verdict.outcome, verdict.plies, words);
  show_head(style, words);
  show_state(shown->line.cols, &state);
  if (shown->pictures > 0)
    show_grid(style, &state, NULL, 0);
  for (uint32_t ply = 0; ply < shown->line.moves_count; ply++) {
    const struct cm_state before = state;
    *(state.turn == CM_MOUSE ? &state.mouse : &state.cat) = shown->moves[ply];
    state.turn = state.turn == CM_MOUSE ? CM_CAT : CM_MOUSE;
    show_ply(shown, ply, &before, &state);
    if (shown->pictures > 0 && (ply + 1) % shown->pictures == 0)
      show_grid(style, &state, NULL, 0);
  }
  show_end(shown);
}
