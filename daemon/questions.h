/* The handlers of questions about a puzzle, which a request holds or names. The loop's thread. */
#ifndef CATMOUSE_DAEMON_QUESTIONS_H
#define CATMOUSE_DAEMON_QUESTIONS_H

#include "daemon/connection.h"

/* `solve`, `query` and `line`. Takes the request where it answers later. */
void question_answer(struct connection *connection, struct incoming *incoming);

/* `stats` and `verify`: as well, but refused where too much waits for the solvers. */
void question_check(struct connection *connection, struct incoming *incoming);

#endif
