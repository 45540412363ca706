/* What is judged: a class as LeetCode has it, made a program by an adapter, or any program. */
#ifndef CATMOUSE_CLIENT_JUDGE_SOLUTION_H
#define CATMOUSE_CLIENT_JUDGE_SOLUTION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "solver/game.h"

enum { SOLUTION_WORDS_MOST = 12, SOLUTION_SENTENCE_BYTES = 4000 };

/* How it takes its cases. */
enum solution_way {
  SOLUTION_TALKS,  /* says "ready", then answers each case as it is sent */
  SOLUTION_ONCE,   /* a run for each case */
  SOLUTION_STREAM, /* one run for all, whose input ends */
};

struct solution {
  enum game game;
  enum solution_way way;
  const char *language;   /* for people */
  char scratch[PATH_MAX]; /* a folder of its own; removed at the end */
  char file[PATH_MAX], adapter[PATH_MAX], program[PATH_MAX], more[PATH_MAX];
  const char *argv[SOLUTION_WORDS_MOST + 1];
  char sentence[SOLUTION_SENTENCE_BYTES]; /* why it cannot be judged */
};

enum solution_result { SOLUTION_READY, SOLUTION_UNUSABLE, SOLUTION_DOES_NOT_COMPILE };

/*
 * Makes a program of the file; what it needs is compiled now. The caller ends it with solution_deinit(), whatever came
 * of it. `sentence` says why where it is not ready.
 */
enum solution_result solution_open(const char *path, struct solution *solution);

/* A program with its arguments, borrowed. */
enum solution_result solution_of_program(const char *const *argv, enum game game, bool stream,
                                         struct solution *solution);
void solution_deinit(struct solution *solution);

#endif
