/*
 * Steps are short (tens of microseconds up), so an idle hand spins a while before it sleeps, and the other takes a step back when the idle
 * hand has not got to it in time. One counter says how many pieces are taken.
 */
#include "solver/engine/crew.h"

#include <sched.h>

enum { SPINS = 4000, SPINS_A_YIELD = 64 };

static void relax(unsigned spins)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
  if (spins % SPINS_A_YIELD == SPINS_A_YIELD - 1)
    sched_yield();
}

static void begin(struct crew *crew, enum crew_state state)
{
  pthread_mutex_init(&crew->lock, NULL);
  pthread_cond_init(&crew->wake, NULL);
  atomic_init(&crew->state, state);
  atomic_init(&crew->asleep, false);
  atomic_init(&crew->taken, 0);
}

void crew_init(struct crew *crew)
{
  begin(crew, CREW_BUSY);
}

void crew_init_helped(struct crew *crew)
{
  begin(crew, CREW_IDLE);
}

void crew_deinit(struct crew *crew)
{
  pthread_cond_destroy(&crew->wake);
  pthread_mutex_destroy(&crew->lock);
}

/*
 * One hand begins with the first piece, the other with the last: step after step they get much the same pieces,
 * whose memory lies in their own caches by then.
 */
static void do_pieces(struct crew *crew, unsigned hand)
{
  for (uint32_t mine = 0; atomic_fetch_add(&crew->taken, 1) < crew->count; mine++)
    crew->piece(crew->context, hand, hand == 0 ? mine : crew->count - 1 - mine);
}

static void wake(struct crew *crew)
{
  if (!atomic_load(&crew->asleep))
    return;
  pthread_mutex_lock(&crew->lock);
  pthread_cond_signal(&crew->wake);
  pthread_mutex_unlock(&crew->lock);
}

static void set_state(struct crew *crew, enum crew_state state)
{
  atomic_store(&crew->state, state);
  wake(crew);
}

void crew_step(struct crew *crew, unsigned hand, crew_piece *piece, void *context, uint32_t count)
{
  if (!crew || count < 2 || atomic_load(&crew->state) != CREW_IDLE) {
    for (uint32_t at = 0; at < count; at++)
      piece(context, hand, at);
    return;
  }
  crew->piece = piece;
  crew->context = context;
  crew->count = count;
  atomic_store(&crew->taken, 0);
  set_state(crew, CREW_POSTED);
  do_pieces(crew, hand);
  int posted = CREW_POSTED;
  if (atomic_compare_exchange_strong(&crew->state, &posted, CREW_IDLE))
    return;
  for (unsigned spins = 0; atomic_load(&crew->state) == CREW_TAKEN; spins++)
    relax(spins);
}

static bool is_idle(struct crew *crew)
{
  return atomic_load(&crew->state) == CREW_IDLE;
}

/* Steps come close together or not at all. */
static void spin(struct crew *crew)
{
  for (unsigned spins = 0; spins < SPINS && is_idle(crew); spins++)
    relax(spins);
}

static void sleep_while_idle(struct crew *crew)
{
  pthread_mutex_lock(&crew->lock);
  atomic_store(&crew->asleep, true);
  while (is_idle(crew))
    pthread_cond_wait(&crew->wake, &crew->lock);
  atomic_store(&crew->asleep, false);
  pthread_mutex_unlock(&crew->lock);
}

void crew_retire(struct crew *crew, unsigned hand)
{
  int busy = CREW_BUSY;
  if (atomic_compare_exchange_strong(&crew->state, &busy, CREW_IDLE))
    crew_help(crew, hand);
  else
    set_state(crew, CREW_DONE);
}

void crew_help(struct crew *crew, unsigned hand)
{
  for (;;) {
    spin(crew);
    sleep_while_idle(crew);
    if (atomic_load(&crew->state) == CREW_DONE)
      return;
    int posted = CREW_POSTED;
    if (!atomic_compare_exchange_strong(&crew->state, &posted, CREW_TAKEN))
      continue;
    do_pieces(crew, hand);
    atomic_store(&crew->state, CREW_IDLE);
  }
}
