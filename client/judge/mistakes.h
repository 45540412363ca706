/* What solvers are known to get wrong, and what they would answer then. */
#ifndef CATMOUSE_CLIENT_JUDGE_MISTAKES_H
#define CATMOUSE_CLIENT_JUDGE_MISTAKES_H

#include "client/judge/challenge.h"

/* A puzzle and what the solver said of it. */
struct said {
  struct challenge challenge;
  enum outcome outcome;
};

/*
 * Which mistakes explain the first answer, and every other as far as can be said: their numbers, at most `most`, the
 * likeliest first. How many these are.
 */
size_t mistakes_behind(const struct said *said, size_t count, size_t most, size_t *numbers);

/* Do they surely answer this puzzle differently? */
bool mistakes_differ(size_t one, size_t other, const struct challenge *challenge);

/* "answers as if the game ended after 2n turns". Borrowed for ever. */
const char *mistake_words(size_t number);

#endif
