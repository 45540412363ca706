/* What solvers are tried on: the published examples, known breakers, small graphs, random ones, and slow ones. */
#ifndef CATMOUSE_CLIENT_JUDGE_CASES_H
#define CATMOUSE_CLIENT_JUDGE_CASES_H

#include "client/judge/challenge.h"

struct case_list {
  struct challenge *cases; /* owned */
  size_t count, room;
};

/*
 * `count` random cases of a game from a seed, and the known ones. `exhaustive`: all legal graphs of up to 6 nodes
 * beside them. 0 or -ENOMEM.
 */
int cases_make(enum game game, uint64_t seed, uint32_t count, bool exhaustive,
               struct case_list *list);
/* One more random case, of so many nodes at most, 6 or more, where it is a graph. The same of the same seed. */
void case_make(enum game game, uint64_t seed, uint32_t nodes_most, struct challenge *challenge);
void cases_free(struct case_list *list);

#endif
