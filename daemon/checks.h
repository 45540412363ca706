/* `stats` and `verify`: passes over a whole table, off the loop. */
#ifndef CATMOUSE_DAEMON_CHECKS_H
#define CATMOUSE_DAEMON_CHECKS_H

#include "daemon/pending.h"

/* Answers `request`, which is taken, once the pass over the table of `solved` is done. */
void check_start(struct connection *connection, struct request *request, struct solved *solved);

/* Nobody waits for it any longer. */
void check_abandon(struct check *check);

#endif
