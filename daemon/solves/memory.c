/*
 * Tables leave the cache a thousand at a time, so that a large solve that displaces many does not hold the loop.
 * A helper gives their memory back, and only then it may be charged again. What the solver keeps for the next solve
 * is given back by the same helper.
 */
#include "daemon/solves/memory.h"

#include <errno.h>

#include "solver/solve.h"

enum { EVICTED_AT_ONCE = 1000 };

static void helper_run(struct job *job)
{
  struct memory *memory = container_of(job, struct memory, job);
  solved_free_all(&memory->leaving);
  if (memory->trim)
    memory->trim();
}

static void helper_done(struct job *job)
{
  struct memory *memory = container_of(job, struct memory, job);
  solved_free_all(&memory->leaving); /* a pool that closes may never have run the job */
  memory->charged_bytes -= memory->leaving_bytes;
  memory->leaving_bytes = 0;
  memory->busy = false;
  memory->trim = NULL;
}

void memory_init(struct memory *memory, struct cache *cache, struct workers *helpers,
                 const struct daemon_limits *limits, const uint64_t *message_bytes)
{
  *memory = (struct memory){
      .cache = cache,
      .helpers = helpers,
      .limits = limits,
      .message_bytes = message_bytes,
      .job = {.run = helper_run, .done = helper_done},
  };
  list_init(&memory->leaving);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* How many bytes tables may take while `taken_bytes` are charged. */
static uint64_t room_beside(const struct memory *memory, uint64_t taken_bytes)
{
  uint64_t messages_bytes = *memory->message_bytes;
  if (messages_bytes > MEMORY_MESSAGE_BYTES)
    taken_bytes += messages_bytes - MEMORY_MESSAGE_BYTES;
  uint64_t max_bytes = memory->limits->memory_bytes;
  return taken_bytes < max_bytes ? max_bytes - taken_bytes : 0;
}

/* The same once the helper has freed `leaving`: no table has to leave the cache for those bytes. */
static uint64_t room_soon(const struct memory *memory)
{
  return room_beside(memory, memory->charged_bytes - memory->leaving_bytes);
}

static int make_room(struct memory *memory, uint64_t need_bytes, uint64_t *free_bytes)
{
  struct cache *cache = memory->cache;
  uint64_t room = room_beside(memory, memory->charged_bytes), soon = room_soon(memory);
  if (need_bytes > soon || cache->in_use_bytes > soon - need_bytes)
    return -ENOSPC;
  if (!cache_shrink(cache, soon - need_bytes, EVICTED_AT_ONCE))
    return -EAGAIN;
  uint64_t dropped_bytes = cache->dropped_bytes < FREE_LATER_BYTES ? 0 : cache->dropped_bytes;
  if (need_bytes > room || cache->bytes + dropped_bytes > room - need_bytes)
    return -EAGAIN;
  *free_bytes = room - need_bytes - cache->bytes - dropped_bytes;
  return 0;
}

int memory_charge(struct memory *memory, uint64_t need_bytes, uint64_t wish_bytes,
                  uint64_t *charged_bytes)
{
  uint64_t free_bytes;
  int result = make_room(memory, need_bytes, &free_bytes);
  if (result < 0)
    return result;
  uint64_t spare_bytes = memory->limits->memory_bytes / 8; /* others may want some, too */
  uint64_t extra_bytes = free_bytes > spare_bytes ? free_bytes - spare_bytes : 0;
  *charged_bytes = need_bytes + smaller(wish_bytes - need_bytes, extra_bytes);
  memory->charged_bytes += *charged_bytes;
  return 0;
}

int memory_charge_little(struct memory *memory, uint64_t bytes)
{
  uint64_t free_bytes;
  if (make_room(memory, bytes, &free_bytes) == -ENOSPC)
    return -ENOSPC;
  memory->charged_bytes += bytes;
  return 0;
}

void memory_release(struct memory *memory, uint64_t bytes)
{
  memory->charged_bytes -= bytes;
}

bool memory_admits_messages(struct memory *memory, uint64_t bytes)
{
  uint64_t free_bytes;
  return *memory->message_bytes + bytes <= MEMORY_MESSAGE_BYTES ||
         make_room(memory, bytes, &free_bytes) != -ENOSPC;
}

static void submit(struct memory *memory)
{
  memory->busy = true;
  workers_submit(memory->helpers, &memory->job);
}

bool memory_tend(struct memory *memory)
{
  struct cache *cache = memory->cache;
  struct link dropped;
  cache_shrink(cache, smaller(room_soon(memory), cache->max_bytes), EVICTED_AT_ONCE);
  if (list_empty(&cache->dropped))
    return false;
  if (cache->dropped_bytes < FREE_LATER_BYTES) { /* a few small tables are freed here */
    cache_take_dropped(cache, &dropped);
    solved_free_all(&dropped);
    return true;
  }
  if (memory->busy)
    return false;
  memory->leaving_bytes = cache->dropped_bytes;
  memory->charged_bytes += memory->leaving_bytes;
  cache_take_dropped(cache, &memory->leaving);
  submit(memory);
  return false;
}

/* While a solve runs, its charge covers the memory that was kept for it. */
bool memory_trim(struct memory *memory, uint64_t now_ms)
{
  uint64_t kept_bytes = solve_kept_bytes();
  if (kept_bytes == 0 || memory->busy)
    return kept_bytes > 0;
  if (now_ms - memory->trimmed_ms >= memory->limits->keep_ms) {
    memory->trim = solve_trim_memory;
    memory->trimmed_ms = now_ms;
  }
  if (memory->charged_bytes == 0 && memory->cache->bytes + kept_bytes > room_soon(memory))
    memory->trim = solve_drop_memory;
  if (memory->trim)
    submit(memory);
  return true;
}
