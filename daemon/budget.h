/*
 * The memory that solved puzzles and running solves may take together. What a solve may hold is reserved
 * before it starts, and tables leave the cache for it, which takes a while where they are large. For one thread
 * alone.
 */
#ifndef CATMOUSE_DAEMON_BUDGET_H
#define CATMOUSE_DAEMON_BUDGET_H

#include "daemon/cache.h"
#include "daemon/limits.h"
#include "proto/errors.h"

struct budget {
  struct cache *cache;                /* borrowed */
  const struct daemon_limits *limits; /* borrowed */
  uint64_t reserved_bytes;            /* that running solves may hold */
  uint64_t leaving_bytes;             /* that nobody needs any longer, until they are given back */
};

/* So much can be given back at once, before a solve could fill it. */
enum { SLIGHT_BYTES = 256 << 10 };

void budget_init(struct budget *budget, struct cache *cache, const struct daemon_limits *limits);

/* Could so much ever be reserved for this arena, and its table be kept? 0, or -EBADMSG with `fault`. */
int budget_admit(const struct budget *budget, const struct arena *arena, uint64_t need_bytes,
                 struct fault *fault);

/* Says that a solve of so many nodes is too large. -EBADMSG. */
int budget_refuse(const struct daemon_limits *limits, uint32_t nodes, uint64_t need_bytes,
                  struct fault *fault);

/*
 * Reserves at least `need_bytes` until budget_release(), more where they cost nothing. 0; -EAGAIN where more
 * tables must go, or those dropped must be given back, which may happen once the caller's thread has done
 * something else; or -ENOSPC where room can only come from what is in use or leaving.
 */
int budget_reserve(struct budget *budget, uint64_t need_bytes, uint64_t *reserved_bytes);

/* Are more tables kept than may be, and would it help if some left? */
bool budget_is_over(const struct budget *budget);

/* Has some of them leave then. */
void budget_keep_within(struct budget *budget);

void budget_release(struct budget *budget, uint64_t reserved_bytes);

/* So much will be given back, and takes memory until budget_left(). What the cache has dropped counts by itself. */
void budget_leave(struct budget *budget, uint64_t bytes);
void budget_left(struct budget *budget, uint64_t bytes);

#endif
