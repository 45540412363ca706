/*
 * Steps take tens of microseconds or more. An idle thread spins a while before it sleeps, and the
 * other takes a step back where the idle thread has not come in time. One counter says how many
 * pieces are taken. What an idle thread waits for is set under the lock: that costs a step little,
 * and no wake-up depends on how the processor orders a store before a load.
 */
#include "solver/engine/thread_pair.h"

#include <sched.h>
#include <stdbool.h>

enum { SPINS = 4000, SPINS_A_YIELD = 64 };

static void relax(unsigned spins)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  if (spins % SPINS_A_YIELD == SPINS_A_YIELD - 1)
    sched_yield();
}

void thread_pair_init(struct thread_pair *pair, enum pair_state state)
{
  pthread_mutex_init(&pair->lock, NULL);
  pthread_cond_init(&pair->wake, NULL);
  atomic_init(&pair->state, state);
  atomic_init(&pair->taken, 0);
}

void thread_pair_deinit(struct thread_pair *pair)
{
  pthread_cond_destroy(&pair->wake);
  pthread_mutex_destroy(&pair->lock);
}

/*
 * One thread begins with the first piece, the other with the last: step after step they get much
 * the same pieces, whose memory lies in their own caches by then.
 */
static void do_pieces(struct thread_pair *pair, unsigned thread)
{
  for (uint32_t mine = 0; atomic_fetch_add(&pair->taken, 1) < pair->count; mine++)
    pair->piece(pair->context, thread, thread == 0 ? mine : pair->count - 1 - mine);
}

/* Ends the other thread's waiting, if it waits. */
static void set_state(struct thread_pair *pair, enum pair_state state)
{
  pthread_mutex_lock(&pair->lock);
  atomic_store(&pair->state, state);
  pthread_cond_signal(&pair->wake);
  pthread_mutex_unlock(&pair->lock);
}

void thread_pair_step(struct thread_pair *pair, unsigned thread, step_piece *piece, void *context,
                      uint32_t count)
{
  if (!pair || count < 2 || atomic_load(&pair->state) != PAIR_IDLE) {
    for (uint32_t at = 0; at < count; at++)
      piece(context, thread, at);
    return;
  }
  pair->piece = piece;
  pair->context = context;
  pair->count = count;
  atomic_store(&pair->taken, 0);
  set_state(pair, PAIR_POSTED);
  do_pieces(pair, thread);
  int posted = PAIR_POSTED;
  if (atomic_compare_exchange_strong(&pair->state, &posted, PAIR_IDLE))
    return;
  for (unsigned spins = 0; atomic_load(&pair->state) == PAIR_TAKEN; spins++)
    relax(spins);
}

static bool is_idle(struct thread_pair *pair)
{
  return atomic_load(&pair->state) == PAIR_IDLE;
}

/* Steps come close together or not at all. */
static void spin(struct thread_pair *pair)
{
  for (unsigned spins = 0; spins < SPINS && is_idle(pair); spins++)
    relax(spins);
}

static void sleep_while_idle(struct thread_pair *pair)
{
  pthread_mutex_lock(&pair->lock);
  while (is_idle(pair))
    pthread_cond_wait(&pair->wake, &pair->lock);
  pthread_mutex_unlock(&pair->lock);
}

void thread_pair_retire(struct thread_pair *pair, unsigned thread)
{
  int busy = PAIR_BUSY;
  if (atomic_compare_exchange_strong(&pair->state, &busy, PAIR_IDLE))
    thread_pair_help(pair, thread);
  else
    set_state(pair, PAIR_DONE);
}

void thread_pair_help(struct thread_pair *pair, unsigned thread)
{
  for (;;) {
    spin(pair);
    sleep_while_idle(pair);
    if (atomic_load(&pair->state) == PAIR_DONE)
      return;
    int posted = PAIR_POSTED;
    if (!atomic_compare_exchange_strong(&pair->state, &posted, PAIR_TAKEN))
      continue;
    do_pieces(pair, thread);
    atomic_store(&pair->state, PAIR_IDLE);
  }
}
