/* From the puzzle that a request holds to its arena and id. The loop's thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_POSING_H
#define CATMOUSE_DAEMON_REQUESTS_POSING_H

#include "daemon/requests/requests.h"

/* What is done with the arena. Takes what it needs of `request` and of `posed`. */
typedef void pose_done(struct requests *requests, struct connection *connection,
                       struct request *request, struct posed *posed);

/* Calls `done` with the puzzle of `request`, now or later, or tells the peer what is wrong with it. */
void pose(struct requests *requests, struct connection *connection, struct request *request,
          pose_done *done);

/* The connection closes: a puzzle that is being made for it goes. */
void posing_leave(struct connection *connection);

/* Begins to make large puzzles that waited for memory, where there is some now. */
void posing_continue(struct requests *requests);

#endif
