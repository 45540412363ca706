/* What --limit changes: the verdict within so many plies beside the one without. */
#ifndef CATMOUSE_CLIENT_LIMITED_H
#define CATMOUSE_CLIENT_LIMITED_H

#include "client/subject.h"

struct limited {
  uint32_t limit_plies;
  struct cm_verdict without; /* a limit */
};

enum { LIMITED_WORDS_MAX = 200 };

/* Does --limit name a limit, and is somebody to be told of it? */
bool limited_is_wanted(const struct task *task);

/* Asks for the verdict without a limit. 0 or what cm_query() said. */
int limited_ask(struct task *task, const struct subject *subject, const struct cm_state *state,
                struct limited *limited);

/* "Within 20 plies: a draw; without a limit the cat wins in 22 plies." */
void limited_words(const struct limited *limited, const struct cm_verdict *within,
                   char words[static LIMITED_WORDS_MAX]);

#endif
