/*
 * A reservation is what the solve needs as far as can be foreseen, or twice that where it costs nothing, since
 * a table with very long distances needs wider cells. Tables go a few at a time, so that a large solve that
 * displaces many doesn't hold its thread, and only where that makes room. Their memory is free once it was given
 * back.
 */
#include "daemon/budget.h"

#include <errno.h>
#include <inttypes.h>

enum { EVICTED_AT_ONCE = 1000 };

void budget_init(struct budget *budget, struct cache *cache, const struct daemon_limits *limits)
{
  *budget = (struct budget){.cache = cache, .limits = limits};
}

int budget_refuse(const struct daemon_limits *limits, uint32_t nodes, uint64_t need_bytes,
                  struct fault *fault)
{
  return fault_set(fault, ERROR_TOO_LARGE,
                   "%" PRIu32 " nodes need %" PRIu64 " bytes to solve, the limit is %" PRIu64,
                   nodes, need_bytes, limits->memory_bytes);
}

int budget_admit(const struct budget *budget, const struct arena *arena, uint64_t need_bytes,
                 struct fault *fault)
{
  if (need_bytes > budget->limits->memory_bytes)
    return budget_refuse(budget->limits, arena->nodes, need_bytes, fault);

  uint64_t kept_bytes = arena->bytes + table_bytes(arena->nodes, 1);
  if (kept_bytes > budget->limits->cache_bytes)
    return fault_set(fault, ERROR_TOO_LARGE,
                     "a table of %" PRIu32 " nodes takes %" PRIu64 " bytes, and %" PRIu64
                     " may be kept in memory",
                     arena->nodes, kept_bytes, budget->limits->cache_bytes);
  return 0;
}

/* Twice the need, but for an eighth of what is free, which small solves may want. */
static uint64_t generous_bytes(uint64_t need_bytes, uint64_t free_bytes)
{
  uint64_t most_bytes = free_bytes - free_bytes / 8;
  uint64_t bytes = 2 * need_bytes < most_bytes ? 2 * need_bytes : most_bytes;
  return bytes > need_bytes ? bytes : need_bytes;
}

/* What is on its way out, unless that is too little to wait for. */
static uint64_t leaving_bytes(const struct budget *budget)
{
  uint64_t bytes = budget->leaving_bytes + budget->cache->dropped_bytes;
  return bytes > SLIGHT_BYTES ? bytes : 0;
}

int budget_reserve(struct budget *budget, uint64_t need_bytes, uint64_t *reserved_bytes)
{
  struct cache *cache = budget->cache;
  uint64_t room_bytes = budget->limits->memory_bytes - budget->reserved_bytes;
  if (need_bytes + cache->in_use_bytes > room_bytes)
    return -ENOSPC;
  if (!cache_shrink(cache, room_bytes - need_bytes, EVICTED_AT_ONCE))
    return -EAGAIN;
  uint64_t held_bytes = cache->bytes + leaving_bytes(budget);
  if (need_bytes + held_bytes > room_bytes)
    return cache->dropped_bytes > 0 ? -EAGAIN : -ENOSPC;
  *reserved_bytes = generous_bytes(need_bytes, room_bytes - held_bytes);
  budget->reserved_bytes += *reserved_bytes;
  return 0;
}

bool budget_is_over(const struct budget *budget)
{
  const struct cache *cache = budget->cache;
  return cache->bytes > cache->max_bytes && cache->in_use_bytes <= cache->max_bytes;
}

void budget_keep_within(struct budget *budget)
{
  if (budget_is_over(budget))
    cache_shrink(budget->cache, budget->cache->max_bytes, EVICTED_AT_ONCE);
}

void budget_release(struct budget *budget, uint64_t reserved_bytes)
{
  budget->reserved_bytes -= reserved_bytes;
}

void budget_leave(struct budget *budget, uint64_t bytes)
{
  budget->leaving_bytes += bytes;
}

void budget_left(struct budget *budget, uint64_t bytes)
{
  budget->leaving_bytes -= bytes;
}
