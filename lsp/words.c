#include "lsp/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

const char *words_of_player(enum player player)
{
  return player == PLAYER_MOUSE ? "mouse" : "cat";
}

const char *words_of_plies(uint32_t plies)
{
  return plies == 1 ? "ply" : "plies";
}

void words_of_value(enum outcome outcome, uint32_t plies, char words[static WORDS_MAX])
{
  const char *who = outcome == OUTCOME_MOUSE ? "Mouse" : "Cat";
  if (outcome == OUTCOME_DRAW)
    snprintf(words, WORDS_MAX, "Draw");
  else if (plies == PLIES_NONE)
    snprintf(words, WORDS_MAX, "%s wins: the game has no end", who);
  else if (plies == 0)
    snprintf(words, WORDS_MAX, "%s has won", who);
  else
    snprintf(words, WORDS_MAX, "%s wins in %" PRIu32 " %s", who, plies, words_of_plies(plies));
}

void words_of_place(uint32_t cols, uint32_t node, char words[static WORDS_MAX])
{
  if (cols > 0)
    snprintf(words, WORDS_MAX, "%" PRIu32 ":%" PRIu32, node / cols, node % cols);
  else
    snprintf(words, WORDS_MAX, "%" PRIu32, node);
}

static void words_of_known(const struct known *known, char words[static WORDS_MAX])
{
  char value[WORDS_MAX], place[WORDS_MAX];
  words_of_value(known->outcome, known->plies, value);
  words_of_place(known->cols, known->best, place);
  if (known->has_best)
    snprintf(words, WORDS_MAX, "%.100s · best: to %.100s", value, place);
  else
    snprintf(words, WORDS_MAX, "%.100s", value);
}

void words_of_fault(const struct text_fault *fault, char words[static FAULT_WORDS_MAX])
{
  snprintf(words, FAULT_WORDS_MAX, "%s%s%s", fault->sentence, *fault->advice ? "; " : "",
           fault->advice);
}

/* What was known of the text before. */
static void words_of_last(const struct known *known, char words[static WORDS_MAX])
{
  char value[WORDS_MAX];
  words_of_value(known->outcome, known->plies, value);
  value[0] = (char)tolower((unsigned char)value[0]);
  snprintf(words, WORDS_MAX, "%.100s (before this edit)", value);
}

void words_of_verdict(const struct puzzle_verdict *verdict, char words[static WORDS_MAX])
{
  if (verdict->phase == VERDICT_KNOWN)
    words_of_known(&verdict->last, words);
  else if (verdict->phase == VERDICT_REFUSED)
    snprintf(words, WORDS_MAX, "not solved: %s", verdict->refusal);
  else if (verdict->slow)
    snprintf(words, WORDS_MAX, "solving, %" PRIu64 " plies deep", verdict->progress.layers);
  else if (verdict->has_last)
    words_of_last(&verdict->last, words);
  else if (verdict->phase == VERDICT_BROKEN)
    snprintf(words, WORDS_MAX, "not solved: the puzzle has faults");
  else
    snprintf(words, WORDS_MAX, "solving");
}
