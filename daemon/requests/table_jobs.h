/* Off the loop: `stats` and `verify`, which pass over a whole table, and long answers. The loop's thread. */
#ifndef CATMOUSE_DAEMON_REQUESTS_TABLE_JOBS_H
#define CATMOUSE_DAEMON_REQUESTS_TABLE_JOBS_H

#include "daemon/requests/waiting.h"

/* Answers and ends `waiting` once its answer is written, or at once for want of memory. */
void table_job_start(struct waiting *waiting, struct solved *solved);

/* Nobody waits for it any longer. */
void table_job_abandon(struct table_job *table_job);

#endif
