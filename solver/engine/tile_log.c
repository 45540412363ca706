/*
 * Growing logs. Slabs double from what a small puzzle needs up to a huge page, so that neither a
 * small nor a large solve asks the system often.
 */
#include "solver/engine/level.h"

#include "solver/engine/tile_log.h"

struct slab {
  struct slab *next;
  size_t bytes;
};

enum { SLAB_HEAD = 64, SLAB_BYTES_MIN = 8 * CHUNK_BYTES, SLAB_BYTES_MAX = 2 << 20 };

static bool chunk_pool_add_slab(struct chunk_pool *pool)
{
  size_t bytes = pool->slab_bytes ? pool->slab_bytes : SLAB_BYTES_MIN;
  struct slab *slab = solving_alloc_dirty(pool->solving, bytes);
  if (!slab)
    return false;
  *slab = (struct slab){pool->slabs, bytes};
  pool->slabs = slab;
  pool->at = (uint8_t *)slab + SLAB_HEAD;
  pool->end = (uint8_t *)slab + bytes;
  pool->slab_bytes = bytes < SLAB_BYTES_MAX ? 2 * bytes : bytes;
  return true;
}

void chunk_pool_deinit(struct chunk_pool *pool)
{
  while (pool->slabs) {
    struct slab *slab = pool->slabs;
    pool->slabs = slab->next;
    solving_free(pool->solving, slab, slab->bytes);
  }
}

bool tile_log_grow(struct tile_log *log, struct chunk_pool *pool)
{
  if ((size_t)(pool->end - pool->at) < sizeof(struct chunk) && !chunk_pool_add_slab(pool))
    return false;
  struct chunk *chunk = (struct chunk *)pool->at;
  pool->at += sizeof *chunk;
  chunk->next = NULL;
  if (log->last) {
    log->last->next = chunk;
    log->last->end = log->at;
  } else {
    log->first = chunk;
  }
  log->last = chunk;
  log->at = chunk->records;
  log->end = chunk->records + sizeof chunk->records - RECORD_BYTES_MAX - 2 * sizeof(uint32_t);
  return true;
}
