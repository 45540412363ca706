#include "solver/engine/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "solver/page_pool.h"

static const struct solve_options NO_OPTIONS;

enum { ALIGNMENT = 64 };

void job_init(struct job *job, const struct solve_options *options)
{
  job->options = options ? options : &NO_OPTIONS;
  atomic_init(&job->held_bytes, 0);
  job->layers = job->options->layers ? job->options->layers : &job->own_layers;
  atomic_store(job->layers, 0);
  atomic_init(&job->error, 0);
}

void job_fail(struct job *job, int error)
{
  int none = 0;
  atomic_compare_exchange_strong(&job->error, &none, error);
}

/* Nothing is added that does not fit: another thread would see it and fail in its turn. */
int job_hold(struct job *job, uint64_t bytes)
{
  uint64_t most = job->options->max_bytes ? job->options->max_bytes : UINT64_MAX;
  uint_fast64_t held = atomic_load(&job->held_bytes);
  do {
    if (bytes > most || held > most - bytes) {
      job_fail(job, -EFBIG);
      return -EFBIG;
    }
  } while (!atomic_compare_exchange_weak(&job->held_bytes, &held, held + bytes));
  return 0;
}

void job_release(struct job *job, uint64_t bytes)
{
  atomic_fetch_sub(&job->held_bytes, bytes);
}

static void *allocate_aligned(size_t bytes)
{
  return aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT);
}

/*
 * A huge page that a host has taken back from its guest takes milliseconds to come. In the middle of a step several
 * would come one after the other; here the stop flag is looked at between them.
 */
static bool fill(struct job *job, uint8_t *block, size_t bytes, bool zeroed)
{
  for (size_t at = 0; at < bytes && !job_over(job); at += PAGES_PIECE_BYTES) {
    size_t piece = bytes - at < PAGES_PIECE_BYTES ? bytes - at : PAGES_PIECE_BYTES;
    bool is_zero = false;
    if (pages_fill(block + at, piece, &is_zero) < 0)
      job_fail(job, -ENOMEM);
    else if (zeroed && !is_zero)
      memset(block + at, 0, piece);
  }
  return !job_over(job);
}

static void *allocate(struct job *job, size_t bytes)
{
  if (job_hold(job, bytes) < 0)
    return NULL;
  void *block = bytes >= PAGES_FROM_BYTES ? pages_alloc(bytes) : allocate_aligned(bytes);
  if (block)
    return block;
  job_release(job, bytes);
  job_fail(job, -ENOMEM);
  return NULL;
}

static void *allocate_filled(struct job *job, size_t bytes, bool zeroed)
{
  void *block = allocate(job, bytes);
  if (block && bytes < PAGES_FROM_BYTES)
    return zeroed ? memset(block, 0, bytes) : block;
  if (!block || fill(job, block, bytes, zeroed))
    return block;
  job_free(job, block, bytes);
  return NULL;
}

void *job_alloc(struct job *job, size_t bytes)
{
  return allocate_filled(job, bytes, true);
}

void *job_alloc_dirty(struct job *job, size_t bytes)
{
  return allocate_filled(job, bytes, false);
}

void job_free(struct job *job, void *block, size_t bytes)
{
  if (!block)
    return;
  if (bytes >= PAGES_FROM_BYTES)
    pages_free(block, bytes);
  else
    free(block);
  job_release(job, bytes);
}

void job_count(struct job *job, uint64_t decided)
{
  if (job->options->decided)
    atomic_fetch_add_explicit(job->options->decided, decided, memory_order_relaxed);
}

void job_layer(struct job *job, uint32_t layer)
{
  uint_fast32_t deepest = atomic_load_explicit(job->layers, memory_order_relaxed);
  while (deepest < layer && !atomic_compare_exchange_weak(job->layers, &deepest, layer))
    ;
}
