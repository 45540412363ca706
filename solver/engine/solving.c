#include "solver/engine/solving.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "solver/page_pool.h"

static const struct solve_options NO_OPTIONS;

enum { ALIGNMENT = 64 };

void solving_init(struct solving *solving, const struct solve_options *options)
{
  solving->options = options ? options : &NO_OPTIONS;
  atomic_init(&solving->held_bytes, 0);
  solving->layers = solving->options->layers ? solving->options->layers : &solving->own_layers;
  atomic_store(solving->layers, 0);
  atomic_init(&solving->error, 0);
}

void solving_fail(struct solving *solving, int error)
{
  int none = 0;
  atomic_compare_exchange_strong(&solving->error, &none, error);
}

/* Nothing is added that does not fit: another thread would see it and fail in its turn. */
int solving_hold(struct solving *solving, uint64_t bytes)
{
  uint64_t most = solving->options->max_bytes ? solving->options->max_bytes : UINT64_MAX;
  uint_fast64_t held = atomic_load(&solving->held_bytes);
  do {
    if (bytes > most || held > most - bytes) {
      solving_fail(solving, -EFBIG);
      return -EFBIG;
    }
  } while (!atomic_compare_exchange_weak(&solving->held_bytes, &held, held + bytes));
  return 0;
}

void solving_release(struct solving *solving, uint64_t bytes)
{
  atomic_fetch_sub(&solving->held_bytes, bytes);
}

static void *allocate_aligned(size_t bytes)
{
  return aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT);
}

/*
 * A huge page that a host has taken back from its guest takes milliseconds to come. In the middle
 * of a step several would come one after the other; here the stop flag is looked at between them.
 */
static bool fill(struct solving *solving, uint8_t *block, size_t bytes, bool zeroed)
{
  for (size_t at = 0; at < bytes && !solving_over(solving); at += PAGES_PIECE_BYTES) {
    size_t piece = bytes - at < PAGES_PIECE_BYTES ? bytes - at : PAGES_PIECE_BYTES;
    bool is_zero = false;
    if (pages_fill(block + at, piece, &is_zero) < 0)
      solving_fail(solving, -ENOMEM);
    else if (zeroed && !is_zero)
      memset(block + at, 0, piece);
  }
  return !solving_over(solving);
}

static void *allocate(struct solving *solving, size_t bytes)
{
  if (solving_hold(solving, bytes) < 0)
    return NULL;
  void *block = bytes >= PAGES_FROM_BYTES ? pages_alloc(bytes) : allocate_aligned(bytes);
  if (block)
    return block;
  solving_release(solving, bytes);
  solving_fail(solving, -ENOMEM);
  return NULL;
}

static void *allocate_filled(struct solving *solving, size_t bytes, bool zeroed)
{
  void *block = allocate(solving, bytes);
  if (block && bytes < PAGES_FROM_BYTES)
    return zeroed ? memset(block, 0, bytes) : block;
  if (!block || fill(solving, block, bytes, zeroed))
    return block;
  solving_free(solving, block, bytes);
  return NULL;
}

void *solving_alloc(struct solving *solving, size_t bytes)
{
  return allocate_filled(solving, bytes, true);
}

void *solving_alloc_dirty(struct solving *solving, size_t bytes)
{
  return allocate_filled(solving, bytes, false);
}

void solving_free(struct solving *solving, void *block, size_t bytes)
{
  if (!block)
    return;
  if (bytes >= PAGES_FROM_BYTES)
    pages_free(block, bytes);
  else
    free(block);
  solving_release(solving, bytes);
}

void solving_count(struct solving *solving, uint64_t decided)
{
  if (solving->options->decided)
    atomic_fetch_add_explicit(solving->options->decided, decided, memory_order_relaxed);
}

void solving_layer(struct solving *solving, uint32_t layer)
{
  uint_fast32_t deepest = atomic_load_explicit(solving->layers, memory_order_relaxed);
  while (deepest < layer && !atomic_compare_exchange_weak(solving->layers, &deepest, layer))
    ;
}
