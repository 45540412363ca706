/* The daemon as the one who is asked about a stream's puzzles, hundreds at once over one connection. */
#ifndef CATMOUSE_CLIENT_BATCH_DAEMON_H
#define CATMOUSE_CLIENT_BATCH_DAEMON_H

#include "client/batch/line.h"
#include "client/cmclient.h"

struct asker; /* opaque; of one thread */

/* `best`: the best moves are wanted. NULL when out of memory. */
struct asker *asker_new(const struct cm_options *options, bool best, const atomic_bool *stop);
void asker_free(struct asker *asker);

/*
 * Notes a question, and the record that it is about, whose texts are borrowed until asker_await(). The daemon adds to
 * `answer` what answer_set() takes. 0 or -ENOMEM.
 */
int asker_add(struct asker *asker, const struct puzzle *puzzle, const struct state *state,
              uint32_t limit_plies, const struct origin *origin, const struct answer *answer);

/* Is it time for asker_await()? */
bool asker_is_full(const struct asker *asker);

/* Takes answers, and the sentences with which the daemon refused, in the order of the questions. */
struct asker_taker {
  void (*take)(void *context, const struct origin *origin, const struct answer *answer);
  void (*refuse)(void *context, const struct origin *origin, const char *why);
  void *context;
};

/*
 * Has all that was noted answered. 0; -ECANCELED once it was told to stop; -ENOMEM; -EREMOTEIO with asker_error() where
 * the daemon cannot be asked.
 */
int asker_await(struct asker *asker, const struct asker_taker *taker);

/* Drops what was noted. */
void asker_forget(struct asker *asker);

/* Why the daemon could not be asked. */
const char *asker_error(const struct asker *asker);

#endif
