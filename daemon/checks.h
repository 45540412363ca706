/* Off the loop: `stats` and `verify`, which pass over a whole table, and long answers to `query` and `line`. */
#ifndef CATMOUSE_DAEMON_CHECKS_H
#define CATMOUSE_DAEMON_CHECKS_H

#include "daemon/pending.h"

/* Answers `request`, which is taken, once its answer is written. */
void check_start(struct connection *connection, struct request *request, struct solved *solved);

/* Nobody waits for it any longer. */
void check_abandon(struct check *check);

#endif
