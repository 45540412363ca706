/*
 * A stack of huge pages. They stay mapped where they were and are moved as they are asked for, which costs a
 * hundredth of a fresh one: so no block is too large for them, and no gap between them is of any harm.
 */
#include "solver/kept.h"

#include <pthread.h>
#include <sys/mman.h>

#include "solver/pages.h"

enum { PIECES_MAX = 4096 };

static struct {
  pthread_mutex_t lock;
  void *pieces[PIECES_MAX];
  size_t count, most;
  size_t fewest; /* since they were trimmed */
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

void kept_allow(uint64_t bytes)
{
#ifdef MREMAP_FIXED
  uint64_t pieces = bytes / PAGES_PIECE_BYTES;
  pthread_mutex_lock(&kept.lock);
  kept.most = pieces < PIECES_MAX ? pieces : PIECES_MAX;
  pthread_mutex_unlock(&kept.lock);
#else
  (void)bytes;
#endif
}

size_t kept_add(void *pages, size_t bytes)
{
  size_t at = 0;
  pthread_mutex_lock(&kept.lock);
  for (; at + PAGES_PIECE_BYTES <= bytes && kept.count < kept.most; at += PAGES_PIECE_BYTES)
    kept.pieces[kept.count++] = (uint8_t *)pages + at;
  pthread_mutex_unlock(&kept.lock);
  return at;
}

static void *take(void)
{
  pthread_mutex_lock(&kept.lock);
  void *piece = kept.count ? kept.pieces[--kept.count] : NULL;
  kept.fewest = kept.count < kept.fewest ? kept.count : kept.fewest;
  pthread_mutex_unlock(&kept.lock);
  return piece;
}

bool kept_move(void *piece)
{
#ifdef MREMAP_FIXED
  void *from = take();
  if (!from)
    return false;
  if (mremap(from, PAGES_PIECE_BYTES, PAGES_PIECE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, piece) !=
      MAP_FAILED)
    return true;
  munmap(from, PAGES_PIECE_BYTES);
#else
  (void)piece;
#endif
  return false;
}

uint64_t kept_bytes(void)
{
  pthread_mutex_lock(&kept.lock);
  uint64_t bytes = (uint64_t)kept.count * PAGES_PIECE_BYTES;
  pthread_mutex_unlock(&kept.lock);
  return bytes;
}

/* One by one, so that others need not wait. */
static void drop(size_t most)
{
  for (void *piece; most && (piece = take()); most--)
    munmap(piece, PAGES_PIECE_BYTES);
}

void kept_drop(void)
{
  drop(SIZE_MAX);
}

void kept_trim(void)
{
  pthread_mutex_lock(&kept.lock);
  size_t unneeded = kept.fewest;
  pthread_mutex_unlock(&kept.lock);
  drop(unneeded);
  pthread_mutex_lock(&kept.lock);
  kept.fewest = kept.count;
  pthread_mutex_unlock(&kept.lock);
}
