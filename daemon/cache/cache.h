/*
 * The solved puzzles in memory: found by id or a prefix of it, bounded in bytes, the least recently
 * used dropped first. A puzzle with references is never freed.
 * For one thread alone; what a reference points to may be read by any thread.
 */
#ifndef CATMOUSE_DAEMON_CACHE_CACHE_H
#define CATMOUSE_DAEMON_CACHE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/base/list.h"
#include "daemon/cache/id_map.h"
#include "solver/arena.h"
#include "solver/table.h"

/* A puzzle and its table: before it is in the cache, whoever solves it owns it. */
struct solved {
  struct id_node node;       /* private to cache.c but for the id */
  struct link recency;       /* private to cache.c */
  char id_text[ID_TEXT + 1]; /* the id in hex */
  const struct arena *arena; /* owned */
  const struct table *table; /* owned; NULL until it is in the cache */
  uint64_t bytes;            /* of the struct, the arena and the table */
  uint64_t solve_us;         /* what the solve took */
  uint64_t hits;             /* times it was asked for since it was solved */
  uint64_t used_ms;          /* when it was last asked for, in the caller's clock */
  uint64_t noted_ms;         /* when the store was last told of a use; for puzzle_requests.c */
  struct link use;           /* private to cache.c: in `in_use` while there are references */
  uint32_t references;
  bool listed; /* in the cache: neither dropped nor evicted */
};

struct cache {
  struct id_map map;
  struct link recency;    /* the most recently used first */
  struct link in_use;     /* entries with references */
  struct link dropped;    /* entries that left the cache and are still to be freed */
  uint64_t dropped_bytes; /* of the dropped entries */
  uint64_t max_bytes;
  uint64_t bytes;        /* of every table that is listed or in use */
  uint64_t in_use_bytes; /* of the tables in use, which cannot be dropped now */
};

/* 0 or -ENOMEM. */
int cache_init(struct cache *cache, uint64_t max_bytes);

/* Nobody holds a reference any longer. */
void cache_deinit(struct cache *cache);

/* Takes `arena`. NULL when out of memory, with nothing taken. */
struct solved *solved_new(const struct id *id, struct arena *arena);

/*
 * Takes `table` and what solved_new() made, with one reference, the caller's. The cache may hold more than max_bytes
 * until cache_shrink(). An entry that would not fit at all lives as long as its references. The id must not be in the
 * cache yet.
 */
void cache_add(struct cache *cache, struct solved *solved, struct table *table);

/* Takes an entry that was never added, and its table or NULL, to be freed with the dropped entries. */
void cache_drop(struct cache *cache, struct solved *solved, struct table *table);

void cache_ref(struct cache *cache, struct solved *solved);
void cache_unref(struct cache *cache, struct solved *solved);

/* Borrowed: valid until the cache is changed, or longer with a reference. NULL where there is none. */
struct solved *cache_find(const struct cache *cache, const struct id *id);

/* The same by the first digits of an id; returns how many puzzles they fit. `*solved` is set where it is one. */
uint32_t cache_find_prefix(const struct cache *cache, const char *digits, struct solved **solved);

/* Counts a hit and makes the entry the most recently used. */
void cache_touch(struct cache *cache, struct solved *solved, uint64_t now_ms);

/* Drops all entries, in a time that depends only on how many are in use. */
void cache_clear(struct cache *cache);

/*
 * Moves to `list` the dropped entries that are still to be freed, by solved_free_all() on any thread: it takes a
 * while to give back many blocks, or gigabytes.
 */
void cache_take_dropped(struct cache *cache, struct link *list);
void solved_free_all(struct link *list);

/* Drops one entry; its memory goes when its last reference does. */
void cache_evict(struct cache *cache, struct solved *solved);

/*
 * Drops unreferenced entries, the least recently used first, until all together hold at most `bytes`; but
 * looks at no more than `most`. False where more could go.
 */
bool cache_shrink(struct cache *cache, uint64_t bytes, size_t most);

#endif
