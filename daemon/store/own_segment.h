/* Which segment the log appends to. For puzzle_log.c, which holds the log's mutex. */
#ifndef CATMOUSE_DAEMON_STORE_OWN_SEGMENT_H
#define CATMOUSE_DAEMON_STORE_OWN_SEGMENT_H

#include "daemon/store/puzzle_log.h"

/* Takes one over or makes one, and holds a lock on it. 0 or a negative errno. */
int own_segment_open(struct puzzle_log *log);

/* Makes one with a number that none ever had. 0 or a negative errno. */
int own_segment_create(struct puzzle_log *log);

/* Lets go of it, where there is one. */
void own_segment_close(struct puzzle_log *log);

/* `*last` becomes the highest number there is, where that is higher. 0 or a negative errno. */
int own_segment_find_last(struct puzzle_log *log, uint32_t *last);

#endif
