/*
 * The memory of a table before it is known how wide its cells become. The kernel clears fresh memory as it is
 * first used, which takes a large part of a large solve; so a thread that has nothing else to do fills the table
 * with memory ahead, as far as the longest distance found so far says that it will be needed.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_BLANK_H
#define CATMOUSE_SOLVER_ENGINE_BLANK_H

#include <pthread.h>
#include <stdbool.h>

#include "solver/engine/job.h"
#include "solver/table.h"

struct blank {
  struct job *job;
  uint32_t nodes;
  pthread_mutex_t lock;
  struct table *table; /* NULL until it is first filled and once it is settled */
  uint64_t held_bytes; /* for its cells */
  uint32_t filled;     /* pieces of it, from the first on */
  bool settled;
};

void blank_init(struct blank *blank, struct job *job, uint32_t nodes);
void blank_deinit(struct blank *blank);

/* Fills a piece more. False where there is none that will be needed for sure. Any thread. */
bool blank_fill_piece(struct blank *blank);

/*
 * The table, as wide as the longest distance asks for, with the first `filled` pieces filled; no more are from now
 * on. The caller owns it, and what the job holds for its cells. 0 or what the job failed with.
 */
int blank_settle(struct blank *blank, struct table **table);

#endif
