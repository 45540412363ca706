/*
 * When a solve runs. For solves.c; the functions of solves.h that start what waits, or stop what is overdue, are
 * here too.
 */
#ifndef CATMOUSE_DAEMON_SOLVE_QUEUE_H
#define CATMOUSE_DAEMON_SOLVE_QUEUE_H

#include "daemon/solve_job.h"
#include "daemon/solves.h"

/* From now on it waits for solves_start_waiting(). */
void solve_enqueue(struct solves *solves, struct solve_job *solve);

/* Nobody wants it any longer: stops it, and ends it now, or when its thread has let go of it. */
void solve_drop(struct solves *solves, struct solve_job *solve);

#endif
