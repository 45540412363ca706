/*
 * Logs: which bits of a tile (512 rows by 512 bits) were decided in which layer, in the order
 * found. The part written in the last layer is the frontier that the next layer reads; in the end
 * the logs are read once more to write the table.
 *
 * A record is 4 bytes, row << 8 | presence, and the words that presence names. Presence 0 marks a
 * new layer, whose number follows. Records lie in chunks; a layer's cost in memory is its records.
 * One thread at a time writes a log.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_TILE_LOG_H
#define CATMOUSE_SOLVER_ENGINE_TILE_LOG_H

#include <assert.h>

#include "solver/engine/bit_line.h"
#include "solver/engine/solving.h"

enum {
  CHUNK_BYTES = 1 << 13,
  RECORD_BYTES_MAX = sizeof(uint32_t) + LINE_BYTES,
};

struct chunk {
  struct chunk *next;
  uint8_t *end; /* of what is written, once the next chunk is there */
  uint8_t records[CHUNK_BYTES - 2 * sizeof(void *)];
};

/* Where chunks come from: slabs, all given back at once. One a worker. */
struct chunk_pool {
  struct solving *solving;
  struct slab *slabs;
  uint8_t *at, *end;
  size_t slab_bytes; /* of the next slab */
};

void chunk_pool_deinit(struct chunk_pool *pool);

struct cursor {
  struct chunk *chunk;
  const uint8_t *at;
};

struct tile_log {
  struct chunk *first, *last;
  uint8_t *at, *end; /* in `last`: the next record, and where none fits any more */
  uint64_t bits;     /* logged in all */
  uint32_t layer;    /* of the last record, LAYER_NONE at first */
  uint32_t fresh_bits, fresh_records;
  struct cursor fresh;       /* where the layer being written begins */
  struct cursor begin, stop; /* the frontier */
  uint32_t frontier_bits, frontier_records;
  uint32_t next_active; /* the next tile of the frontier in its unit, plus 1 */
};

#define LAYER_NONE UINT32_MAX

_Static_assert((SOLVE_NODES_MAX - 1) <= UINT32_MAX >> 8, "a row fits beside its presence");

/* Makes room for a record. False with the solve failed. */
bool tile_log_grow(struct tile_log *log, struct chunk_pool *pool);

static inline bool tile_log_room(struct tile_log *log, struct chunk_pool *pool)
{
  return log->at < log->end || tile_log_grow(log, pool);
}

static inline void tile_log_mark(struct tile_log *log, uint32_t layer)
{
  uint32_t mark[2] = {0, layer};
  memcpy(log->at, mark, sizeof mark);
  log->at += sizeof mark;
  log->layer = layer;
}

static inline void tile_log_write(struct tile_log *log, uint32_t row, unsigned presence,
                                  bit_line bits)
{
  uint32_t head = row << 8 | presence;
  memcpy(log->at, &head, sizeof head);
  line_pack(bits, presence, log->at + sizeof head);
  log->at += sizeof head + sizeof(uint64_t) * (unsigned)__builtin_popcount(presence);
}

/* The same from words in memory. How many bits were set. */
static inline unsigned tile_log_write_words(struct tile_log *log, uint32_t row, unsigned presence,
                                            const uint64_t *words)
{
  uint32_t head = row << 8 | presence;
  unsigned count = 0;
  memcpy(log->at, &head, sizeof head);
  log->at += sizeof head;
  for (; presence; presence &= presence - 1) {
    uint64_t word = words[__builtin_ctz(presence)];
    memcpy(log->at, &word, sizeof word);
    log->at += sizeof word;
    count += (unsigned)__builtin_popcountll(word);
  }
  return count;
}

struct record {
  uint32_t row;
  unsigned presence;
  const uint8_t *words; /* packed, see line_unpack() */
  uint32_t layer;       /* of the last mark passed */
};

/* Steps over one record. False at `stop`. */
static inline bool tile_log_read(struct cursor *cursor, const struct cursor *stop,
                                 struct record *record)
{
  for (;;) {
    if (cursor->at == stop->at)
      return false;
    if (cursor->chunk != stop->chunk && cursor->at == cursor->chunk->end) {
      cursor->chunk = cursor->chunk->next;
      cursor->at = cursor->chunk->records;
      continue;
    }
    uint32_t head;
    assert(cursor->at);
    memcpy(&head, cursor->at, sizeof head);
    cursor->at += sizeof head;
    record->presence = head & 0xff;
    if (record->presence) {
      record->row = head >> 8;
      record->words = cursor->at;
      cursor->at += sizeof(uint64_t) * (unsigned)__builtin_popcount(record->presence);
      return true;
    }
    memcpy(&record->layer, cursor->at, sizeof record->layer);
    cursor->at += sizeof record->layer;
  }
}

static inline struct cursor tile_log_start(const struct tile_log *log)
{
  return (struct cursor){log->first, log->first ? log->first->records : NULL};
}

static inline struct cursor tile_log_end(const struct tile_log *log)
{
  return (struct cursor){log->last, log->at};
}

#endif
