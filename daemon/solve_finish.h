/*
 * What becomes of solves that have run, or were given up. For the files of solves.h, whose functions for what is
 * spent are here too.
 */
#ifndef CATMOUSE_DAEMON_SOLVE_FINISH_H
#define CATMOUSE_DAEMON_SOLVE_FINISH_H

#include "daemon/solve_job.h"
#include "daemon/solves.h"

/* It has its result, and can be joined no longer: goes into the cache, and answers its askers. */
void solve_finish(struct solves *solves, struct solve_job *solve);

/* Answers some askers of finished solves; while more are left, it makes the pool's owner come again. */
void solves_answer_some(struct solves *solves);

/* Nobody needs it any longer, and it is in no list: it is spent. */
void solve_end(struct solves *solves, struct solve_job *solve);

#endif
