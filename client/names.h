/*
 * What this user's puzzles were called, where their players start and who wins then: an id tells none of it.
 */
#ifndef CATMOUSE_CLIENT_NAMES_H
#define CATMOUSE_CLIENT_NAMES_H

#include "client/cmclient.h"

enum { NAME_VERDICT_MAX = 24, NAME_TEXT_MAX = 64 };

struct named {
  char id[CM_ID_DIGITS + 1];
  char verdict[NAME_VERDICT_MAX]; /* of the start: "mouse 7", "draw"; "-" where it is not known */
  struct cm_state start;          /* in a grid, as nodes */
  char name[NAME_TEXT_MAX];
};

struct names {
  struct named *named; /* owned */
  size_t count;
};

/* A folder that cannot be read holds no names. 0 or -ENOMEM. */
int names_read(struct names *names);
void names_deinit(struct names *names);

/*
 * The last one whose id begins with `id`, in either case, of those with a verdict where there are some. NULL where there
 * is none, or where several puzzles' ids begin so.
 */
const struct named *names_find(const struct names *names, const char *id);

/* Adds one, `verdict` NULL where it is not known; the oldest go where they become too many. 0 or a negative errno. */
int names_add(const char *id, const struct cm_state *start, const struct cm_verdict *verdict,
              const char *name);

#endif
