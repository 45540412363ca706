/*
 * `solve`, `query`, `line`, `explain`, `stats` and `verify`: about a puzzle that the request holds or names. The
 * loop's thread.
 */
#ifndef CATMOUSE_DAEMON_REQUESTS_PUZZLE_REQUESTS_H
#define CATMOUSE_DAEMON_REQUESTS_PUZZLE_REQUESTS_H

#include "daemon/requests/requests.h"

/* Takes what it needs of `request`. */
void puzzle_request(struct requests *requests, struct connection *connection,
                    struct request *request);

#endif
