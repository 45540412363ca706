/*
 * The puzzle that a request is about: it holds the puzzle, or names it by the first digits of its id. The loop's
 * thread.
 */
#ifndef CATMOUSE_DAEMON_REQUESTS_POSING_H
#define CATMOUSE_DAEMON_REQUESTS_POSING_H

#include "daemon/requests/waiting.h"

/*
 * Makes the arena and the id of the puzzle that `request` holds. 0; -EAGAIN where that takes longer than the loop may
 * be held, with nothing done; or -EBADMSG with `fault`.
 */
int pose_now(struct request *request, struct posed *posed, struct fault *fault);

/*
 * The same by a helper, for a puzzle that may have to wait for its memory. Calls `found` with the id and the puzzle,
 * of which it takes what it needs; or tells the peer what is wrong, and `waiting` ends. Later requests of the
 * connection wait meanwhile.
 */
void pose_later(struct waiting *waiting, waiting_found *found);

/*
 * Looks for the puzzle whose id begins with the request's `puzzle_id`, in the cache and on disk, and calls `found` as
 * pose_later() does, maybe at once. The puzzle itself is there only where it came from the disk.
 */
void pose_by_id(struct waiting *waiting, waiting_found *found);

/* Once a round of the loop: begins to make large puzzles, in turn, as long as there is memory for them. */
void posing_continue(struct requests *requests);

#endif
