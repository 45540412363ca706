/*
 * Two threads on one solve. Each first has work of its own; whoever is done retires and then lends a
 * hand with the other's, step by step. A hand is 0 for the thread that made the crew, 1 for the other.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_CREW_H
#define CATMOUSE_SOLVER_ENGINE_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One of many pieces of a step, each independent of the others. */
typedef void crew_piece(void *context, unsigned hand, uint32_t piece);

enum crew_state {
  CREW_BUSY,   /* nobody has retired */
  CREW_IDLE,   /* one hand waits for a step, or is on its way */
  CREW_POSTED, /* a step waits for that hand */
  CREW_TAKEN,  /* both hands are at the step */
  CREW_DONE,   /* both have retired */
};

struct crew {
  pthread_mutex_t lock; /* for sleeping only: what is shared is atomic */
  pthread_cond_t wake;
  atomic_int state;
  atomic_bool asleep;
  crew_piece *piece; /* the step: written while posted by nobody */
  void *context;
  uint32_t count;
  atomic_uint taken; /* pieces */
};

/* Both hands have work of their own. */
void crew_init(struct crew *crew);

/* Only one has, and retires in the end; the other comes to help, and joins a step that has begun. */
void crew_init_helped(struct crew *crew);

void crew_deinit(struct crew *crew);

/* Does all pieces of a step, with the other hand where it is free. `crew` may be NULL. */
void crew_step(struct crew *crew, unsigned hand, crew_piece *piece, void *context, uint32_t count);

/* This hand's own work is done: helps until the other's is. Each hand calls it once. */
void crew_retire(struct crew *crew, unsigned hand);

/* Helps until the other hand retires, for a hand without work of its own. */
void crew_help(struct crew *crew, unsigned hand);

#endif
