/* The daemon as the one who is asked about a stream's puzzles, over a connection for each thread. */
#ifndef CATMOUSE_CLIENT_BATCH_DAEMON_H
#define CATMOUSE_CLIENT_BATCH_DAEMON_H

#include "client/batch/stream.h"
#include "client/cmclient.h"

/* `options` is borrowed for as long as the remotes are. */
struct remotes daemon_remotes(const struct cm_options *options);

/* struct remote's function, for a context that these remotes opened. */
int daemon_ask(void *context, struct item *item, const struct puzzle *puzzle,
               const struct state *state, uint32_t limit_plies, bool best, struct answer *answer);

#endif
