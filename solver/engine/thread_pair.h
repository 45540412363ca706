/*
 * Two threads on one solve. Each first has work of its own; the thread that is done retires and
 * then helps with the other's work, step by step. Thread 0 is the one that made the pair, 1 the
 * other.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_THREAD_PAIR_H
#define CATMOUSE_SOLVER_ENGINE_THREAD_PAIR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* One of many pieces of a step, each independent of the others. */
typedef void step_piece(void *context, unsigned thread, uint32_t piece);

enum pair_state {
  PAIR_BUSY,   /* nobody has retired */
  PAIR_IDLE,   /* one thread waits for a step, or is on its way */
  PAIR_POSTED, /* a step waits for that thread */
  PAIR_TAKEN,  /* both threads are at the step */
  PAIR_DONE,   /* both have retired */
};

struct thread_pair {
  pthread_mutex_t lock; /* held to leave PAIR_IDLE, and by who sleeps until that */
  pthread_cond_t wake;
  atomic_int state;
  step_piece *piece; /* the step: written while posted by nobody */
  void *context;
  uint32_t count;
  atomic_uint taken; /* pieces */
};

/*
 * PAIR_BUSY: both threads have work of their own. PAIR_IDLE: only one has, and retires in the end;
 * the other comes to help, and joins a step that has begun.
 */
void thread_pair_init(struct thread_pair *pair, enum pair_state state);
void thread_pair_deinit(struct thread_pair *pair);

/* Does all pieces of a step, with the other thread where it is free. `pair` NULL: alone. */
void thread_pair_step(struct thread_pair *pair, unsigned thread, step_piece *piece, void *context,
                      uint32_t count);

/* This thread's own work is done: helps until the other's is. Each thread calls it once. */
void thread_pair_retire(struct thread_pair *pair, unsigned thread);

/* Helps until the other thread retires, for a thread without work of its own. */
void thread_pair_help(struct thread_pair *pair, unsigned thread);

#endif
