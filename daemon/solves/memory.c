/*
 * Tables leave the cache a thousand at a time, so that a large solve that displaces many does not hold the loop.
 * A helper gives their memory back, and only then it may be charged again.
 */
#include "daemon/solves/memory.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/base/free_later.h"
#include "solver/solve.h"

enum { EVICTED_AT_ONCE = 1000 };

static void trim_run(struct job *job)
{
  if (container_of(job, struct memory, trim)->trims_all)
    solve_drop_memory();
  else
    solve_trim_memory();
}

static void trim_done(struct job *job)
{
  container_of(job, struct memory, trim)->trims = false;
}

void memory_init(struct memory *memory, struct cache *cache, struct workers *helpers,
                 const struct daemon_limits *limits, const uint64_t *message_bytes)
{
  *memory = (struct memory){
      .cache = cache,
      .helpers = helpers,
      .limits = limits,
      .message_bytes = message_bytes,
      .trim = {.run = trim_run, .done = trim_done},
  };
}

/* What tables may take beside so much that is charged. */
static uint64_t room_beside(const struct memory *memory, uint64_t taken_bytes)
{
  uint64_t messages_bytes = *memory->message_bytes;
  if (messages_bytes > MEMORY_MESSAGE_BYTES)
    taken_bytes += messages_bytes - MEMORY_MESSAGE_BYTES;
  uint64_t max_bytes = memory->limits->memory_bytes;
  return taken_bytes < max_bytes ? max_bytes - taken_bytes : 0;
}

/* The same once helpers have given back what they have in hand. No table has to make room for that. */
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
  memory->changed = true;
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
  free_bytes = free_bytes > spare_bytes ? free_bytes - spare_bytes : 0;
  *charged_bytes = wish_bytes < need_bytes + free_bytes ? wish_bytes : need_bytes + free_bytes;
  if (*charged_bytes < need_bytes)
    *charged_bytes = need_bytes;
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
  memory->changed = true;
}

bool memory_admits_messages(struct memory *memory, uint64_t bytes)
{
  uint64_t free_bytes;
  return *memory->message_bytes + bytes <= MEMORY_MESSAGE_BYTES ||
         make_room(memory, bytes, &free_bytes) != -ENOSPC;
}

int memory_refuse(const struct memory *memory, uint32_t nodes, uint64_t need_bytes,
                  struct fault *fault)
{
  char need[LIMIT_WORDS], max[LIMIT_WORDS];
  return fault_set(fault, ERROR_TOO_LARGE,
                   "%u nodes need at least %s to solve, but --memory-max allows %s", nodes,
                   limit_bytes_words(need_bytes, need),
                   limit_bytes_words(memory->limits->memory_bytes, max));
}

int memory_admit(const struct memory *memory, const struct arena *arena, struct fault *fault)
{
  uint64_t need_bytes = solve_bytes(arena) + arena->bytes;
  char need[LIMIT_WORDS], max[LIMIT_WORDS];
  if (need_bytes > memory->limits->memory_bytes)
    return memory_refuse(memory, arena->nodes, need_bytes, fault);
  uint64_t kept_bytes = arena->bytes + table_bytes(arena->nodes, 1);
  if (kept_bytes > memory->limits->cache_bytes)
    return fault_set(fault, ERROR_TOO_LARGE,
                     "a table of %u nodes takes %s, but --cache-max allows %s", arena->nodes,
                     limit_bytes_words(kept_bytes, need),
                     limit_bytes_words(memory->limits->cache_bytes, max));
  return 0;
}

static void on_freed(void *context, uint64_t bytes)
{
  struct memory *memory = context;
  memory->leaving_bytes -= bytes;
  memory_release(memory, bytes);
}

/* The thing's bytes are charged already. */
static void give_back(struct memory *memory, void (*free_thing)(void *thing), void *thing,
                      uint64_t bytes)
{
  memory->leaving_bytes += bytes;
  free_later(memory->helpers, free_thing, thing, bytes, on_freed, memory);
}

static void free_arena(void *arena)
{
  arena_free(arena);
}

static void free_table(void *table)
{
  table_free(table);
}

void memory_free_arena(struct memory *memory, struct arena *arena, uint64_t charged_bytes)
{
  give_back(memory, free_arena, arena, charged_bytes);
}

void memory_free_table(struct memory *memory, struct table *table, uint64_t charged_bytes)
{
  give_back(memory, free_table, table, charged_bytes);
}

static void free_dropped(void *list)
{
  solved_free_all(list);
  free(list);
}

/* Where many small ones go, the helper has more to do than their bytes say. */
static void give_back_dropped(struct memory *memory)
{
  enum { MANY = 32 };
  struct cache *cache = memory->cache;
  uint64_t bytes = cache->dropped_bytes;
  bool is_many = cache->dropped_count >= MANY;
  struct link here, *list = malloc(sizeof *list);
  if (!list) {
    cache_take_dropped(cache, &here);
    solved_free_all(&here);
    return;
  }
  cache_take_dropped(cache, list);
  uint64_t counted_bytes = is_many && bytes < FREE_LATER_BYTES ? FREE_LATER_BYTES : bytes;
  memory->charged_bytes += counted_bytes;
  give_back(memory, free_dropped, list, counted_bytes);
}

static void trim(struct memory *memory, bool all)
{
  if (memory->trims || !memory->helpers)
    return;
  memory->trims = true;
  memory->trims_all = all;
  workers_submit(memory->helpers, &memory->trim);
}

/* While a solve runs, what was kept for it is charged already. */
void memory_tend(struct memory *memory)
{
  struct cache *cache = memory->cache;
  if (!list_empty(&cache->dropped))
    give_back_dropped(memory);
  if (!memory->changed || !memory->helpers)
    return;
  uint64_t room = room_soon(memory);
  uint64_t most_bytes = room < cache->max_bytes ? room : cache->max_bytes;
  memory->changed = !cache_shrink(cache, most_bytes, EVICTED_AT_ONCE);
  if (memory->changed)
    workers_wake(memory->helpers);
  if (memory->charged_bytes == 0 && cache->bytes + solve_kept_bytes() > room)
    trim(memory, true);
}

bool memory_trim(struct memory *memory, uint64_t now_ms)
{
  if (!memory->helpers || solve_kept_bytes() == 0)
    return false;
  if (now_ms - memory->trimmed_ms >= memory->limits->keep_ms) {
    memory->trimmed_ms = now_ms;
    trim(memory, false);
  }
  return true;
}
