/*
 * The puzzle that this user solved last, in $XDG_STATE_HOME/catmouse/last, else ~/.local/state/catmouse/last: what
 * commands without a puzzle are about.
 */
#ifndef CATMOUSE_CLIENT_LAST_H
#define CATMOUSE_CLIENT_LAST_H

#include <time.h>

#include "client/cmclient.h"

enum { LAST_NAME_MAX = 64 };

struct last {
  char id[CM_ID_DIGITS + 1];
  enum cm_game game;
  uint32_t nodes;
  uint32_t cols; /* 0 for a graph */
  struct cm_state start;
  char name[LAST_NAME_MAX]; /* the file it was in, or its first bytes */
  time_t solved;            /* seconds since 1970 */
};

/* 0; -ENOENT where nothing is kept, or where it cannot be understood. */
int last_read(struct last *last);

/* The file is written whole or not at all; `last->solved` is now. 0 or a negative errno. */
int last_write(const struct last *last);

/* "puzzle 3f7a09, graph of 13 nodes, solved 2 minutes ago" */
void last_words(const struct last *last, char words[static 160]);

#endif
