/* Answers too long for the loop: `stats`, `verify`, `explain`, a long `query` or `line`. The loop's thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_LONG_ANSWERS_H
#define CATMOUSE_DAEMON_REQUESTS_LONG_ANSWERS_H

#include "daemon/requests/waiting.h"

/* Answers and ends `waiting` once a thread has written its answer. */
void long_answer_start(struct waiting *waiting, struct solved *solved);

/* A request has left the connection: has its next long answer written. */
void long_answers_continue(struct connection *connection);

#endif
