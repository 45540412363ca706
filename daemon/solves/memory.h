/*
 * The memory that puzzles, solved tables and running solves may take together. Whatever is large is charged before
 * it is made, and tables that nobody uses leave the cache for it. A charge lasts until the memory was given back.
 * What connections hold beyond MEMORY_MESSAGE_BYTES counts too. The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_SOLVES_MEMORY_H
#define CATMOUSE_DAEMON_SOLVES_MEMORY_H

#include "daemon/base/workers.h"
#include "daemon/cache/cache.h"
#include "daemon/limits.h"
#include "proto/errors.h"

/* Messages and answers may take so much beside all else, lest a full cache keep peers from asking. */
enum { MEMORY_MESSAGE_BYTES = 64 << 20 };

struct memory {
  struct cache *cache;                /* borrowed */
  struct workers *helpers;            /* borrowed; NULL once they are gone */
  const struct daemon_limits *limits; /* borrowed */
  const uint64_t *message_bytes;      /* that connections hold, borrowed */
  uint64_t charged_bytes;
  uint64_t leaving_bytes; /* of these, what helpers are giving back */
  bool changed;           /* since memory_tend() looked last */
  struct job trim;        /* gives back what solves have left for the next */
  bool trims;             /* that job is in the pool... */
  bool trims_all;         /* ...and gives all of it back, needed or not */
  uint64_t trimmed_ms;    /* when it went there last, by the caller's clock */
};

void memory_init(struct memory *memory, struct cache *cache, struct workers *helpers,
                 const struct daemon_limits *limits, const uint64_t *message_bytes);

/*
 * Charges at least `need_bytes`, and up to `wish_bytes` where that costs nothing. 0; -EAGAIN where room is being
 * made, so that it is worth trying again once the caller's thread has done something else; or -ENOSPC where room
 * can only come from what is in use.
 */
int memory_charge(struct memory *memory, uint64_t need_bytes, uint64_t wish_bytes,
                  uint64_t *charged_bytes);
void memory_release(struct memory *memory, uint64_t bytes);

/* Charges what is little and there already, though room for it may still be on its way. 0 or -ENOSPC. */
int memory_charge_little(struct memory *memory, uint64_t bytes);

/* May connections hold so many bytes more? Tables make room for them. */
bool memory_admits_messages(struct memory *memory, uint64_t bytes);

/* Could this arena, if alone, be solved, and its table be kept? 0, or -EBADMSG with `fault`. */
int memory_admit(const struct memory *memory, const struct arena *arena, struct fault *fault);

/* Says that so many nodes need more than there could ever be. -EBADMSG. */
int memory_refuse(const struct memory *memory, uint32_t nodes, uint64_t need_bytes,
                  struct fault *fault);

/* Frees an arena (or nothing where it is NULL), of which so much is charged, and then ends the charge. */
void memory_free_arena(struct memory *memory, struct arena *arena, uint64_t charged_bytes);
void memory_free_table(struct memory *memory, struct table *table, uint64_t charged_bytes);

/* To be called once a round of the loop: gives back what the cache has dropped, and keeps it within its bounds. */
void memory_tend(struct memory *memory);

/* Gives back what solves left for the next and none has needed for `keep_ms`. Is there any left to come back for? */
bool memory_trim(struct memory *memory, uint64_t now_ms);

#endif
