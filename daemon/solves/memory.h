/*
 * The memory that puzzles, solved tables and running solves may take together. Whatever is large is charged before
 * it is made, and tables that nobody uses leave the cache for it. A charge lasts until the memory was given back.
 * What connections hold beyond MEMORY_MESSAGE_BYTES counts too. The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_SOLVES_MEMORY_H
#define CATMOUSE_DAEMON_SOLVES_MEMORY_H

#include "daemon/base/workers.h"
#include "daemon/cache/cache.h"
#include "daemon/config.h"

/* Messages and answers may take so much beside all else, lest a full cache keep peers from asking. */
enum { MEMORY_MESSAGE_BYTES = 64 << 20 };

struct memory {
  struct cache *cache;                /* borrowed */
  struct workers *helpers;            /* borrowed, of one thread */
  const struct daemon_limits *limits; /* borrowed */
  const uint64_t *message_bytes;      /* that connections hold, borrowed */
  uint64_t charged_bytes;
  struct job job;         /* gives memory back, as the next four say... */
  struct link leaving;    /* ...of tables that have left the cache... */
  uint64_t leaving_bytes; /* ...which are charged until then... */
  void (*trim)(void);     /* ...and of the pages kept for solves, unless NULL */
  bool busy;              /* that job is in the pool */
  uint64_t trimmed_ms;    /* when it last went there to trim, by the caller's clock */
};

void memory_init(struct memory *memory, struct cache *cache, struct workers *helpers,
                 const struct daemon_limits *limits, const uint64_t *message_bytes);

/*
 * Charges at least `need_bytes`, and up to `wish_bytes` (no less than that) where no table has to leave for it. 0;
 * -EAGAIN where room is being made: try again in the next round of the loop; or -ENOSPC where all other memory is in
 * use.
 */
int memory_charge(struct memory *memory, uint64_t need_bytes, uint64_t wish_bytes,
                  uint64_t *charged_bytes);
void memory_release(struct memory *memory, uint64_t bytes);

/* Charges a little that is allocated already, even while room for it is still being made. 0 or -ENOSPC. */
int memory_charge_little(struct memory *memory, uint64_t bytes);

/* May connections hold so many bytes more? Tables make room for them. */
bool memory_admits_messages(struct memory *memory, uint64_t bytes);

/*
 * Once a round of the loop: gives back what the cache has dropped, and keeps it within its bounds. True where memory is
 * free at once; otherwise the helper wakes the loop when it has freed some.
 */
bool memory_tend(struct memory *memory);

/*
 * Gives back the pages kept for solves that none has needed for `keep_ms`, or all of them where tables need the
 * room. True while any are kept.
 */
bool memory_trim(struct memory *memory, uint64_t now_ms);

#endif
