/*
 * The pool is a stack of huge pages. They stay mapped where they were until they are moved into a
 * block, so no block is too large for them, and gaps between them do no harm. Where the system
 * fails to move one, the pool is given up.
 */
#include "solver/page_pool.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "solver/system.h"

enum { PAGE_BYTES = 4096, HUGE_PAGE = PAGES_PIECE_BYTES, PIECES_MAX = 4096 };

static struct {
  pthread_mutex_t lock;
  void *pieces[PIECES_MAX];
  size_t count, most;
  size_t fewest; /* since the pool was trimmed */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

void page_pool_limit(uint64_t bytes)
{
  uint64_t pieces = bytes / HUGE_PAGE;
  pthread_mutex_lock(&pool.lock);
  pool.most = pieces < PIECES_MAX ? pieces : PIECES_MAX;
  pthread_mutex_unlock(&pool.lock);
}

uint64_t page_pool_bytes(void)
{
  pthread_mutex_lock(&pool.lock);
  uint64_t bytes = (uint64_t)pool.count * HUGE_PAGE;
  pthread_mutex_unlock(&pool.lock);
  return bytes;
}

/* Pools pieces from the beginning of a mapping. How many bytes of it. */
static size_t put(uint8_t *pages, size_t bytes)
{
  size_t at = 0;
  pthread_mutex_lock(&pool.lock);
  for (; at < bytes && pool.count < pool.most; at += HUGE_PAGE)
    pool.pieces[pool.count++] = pages + at;
  pthread_mutex_unlock(&pool.lock);
  return at;
}

static void *take(void)
{
  pthread_mutex_lock(&pool.lock);
  void *piece = pool.count ? pool.pieces[--pool.count] : NULL;
  pool.fewest = pool.count < pool.fewest ? pool.count : pool.fewest;
  pthread_mutex_unlock(&pool.lock);
  return piece;
}

/* One by one, so that other threads need not wait. */
static void drop(size_t most)
{
  for (void *piece; most && (piece = take()); most--)
    munmap(piece, HUGE_PAGE);
}

void page_pool_drop(void)
{
  drop(SIZE_MAX);
}

void page_pool_trim(void)
{
  pthread_mutex_lock(&pool.lock);
  size_t unneeded = pool.fewest;
  pthread_mutex_unlock(&pool.lock);
  drop(unneeded);
  pthread_mutex_lock(&pool.lock);
  pool.fewest = pool.count;
  pthread_mutex_unlock(&pool.lock);
}

static size_t whole_pages(size_t bytes)
{
  return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static void *map(size_t bytes)
{
  void *start =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

/* What is pooled counts too where there is a bound on what may be mapped. */
static uint8_t *map_or_drop(size_t bytes)
{
  void *start = map(bytes);
  if (start || page_pool_bytes() == 0)
    return start;
  page_pool_drop();
  return map(bytes);
}

/* Maps a huge page too much, then gives back what lies before and after the aligned part. */
void *pages_alloc(size_t bytes)
{
  size_t size = whole_pages(bytes);
  if (size < bytes || size > SIZE_MAX - HUGE_PAGE)
    return NULL;
  uint8_t *start = map_or_drop(size + HUGE_PAGE);
  if (!start)
    return NULL;
  size_t before = -(uintptr_t)start % HUGE_PAGE;
  if (before)
    munmap(start, before);
  munmap(start + before + size, HUGE_PAGE - before);
  system_prefer_huge_pages(start + before, size);
  return start + before;
}

void pages_free(void *pages, size_t bytes)
{
  size_t size = whole_pages(bytes), pooled = put(pages, size);
  if (pooled < size)
    munmap((uint8_t *)pages + pooled, size - pooled);
}

/* The system may have unmapped the piece before it failed, or not. */
static int map_anew(void *piece)
{
  page_pool_limit(0);
  page_pool_drop();
  int error = system_map_at(piece, HUGE_PAGE);
  if (!error)
    system_prefer_huge_pages(piece, HUGE_PAGE);
  return error && error != -EEXIST ? -ENOMEM : 0;
}

static int move_pooled(void *piece, bool *moved)
{
  void *pooled = take();
  *moved = pooled && system_move_pages(pooled, piece, HUGE_PAGE);
  if (!pooled || *moved)
    return 0;
  munmap(pooled, HUGE_PAGE);
  return map_anew(piece);
}

/* A pooled page may never have been touched either. */
int pages_fill(void *piece, size_t bytes, bool *zeroed)
{
  bool moved;
  int error = move_pooled(piece, &moved);
  if (error)
    return error;
  for (size_t at = 0; at < bytes; at += PAGE_BYTES)
    ((volatile uint8_t *)piece)[at] = 0;
  if (zeroed)
    *zeroed = !moved;
  return 0;
}
