/*
 * Fresh pages are zero without being cleared twice, and a fault for every 2 MB instead of every 4 kB
 * is what makes writing a table once cheap.
 */
#include "solver/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#include "solver/kept.h"

enum { PAGE_BYTES = 4096, HUGE_PAGE = PAGES_PIECE_BYTES };

static size_t whole_pages(size_t bytes)
{
  return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static uint8_t *map(size_t bytes)
{
  void *start =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

/* What is kept counts too where there is a bound on what may be mapped. */
static uint8_t *map_or_drop(size_t bytes)
{
  uint8_t *start = map(bytes);
  if (start || kept_bytes() == 0)
    return start;
  kept_drop();
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
#ifdef MADV_HUGEPAGE
  madvise(start + before, size, MADV_HUGEPAGE);
#endif
  return start + before;
}

void pages_free(void *pages, size_t bytes)
{
  size_t size = whole_pages(bytes), kept = kept_add(pages, size);
  if (kept < size)
    munmap((uint8_t *)pages + kept, size - kept);
}

void pages_cut(void *pages, size_t bytes, size_t left_bytes)
{
  size_t left = whole_pages(left_bytes), size = whole_pages(bytes);
  if (left < size)
    munmap((uint8_t *)pages + left, size - left);
}

/* What was kept may never have been touched either. */
bool pages_fill(void *piece, size_t bytes)
{
  bool moved = kept_move(piece);
  for (size_t at = 0; at < bytes; at += PAGE_BYTES)
    ((volatile uint8_t *)piece)[at] = 0;
  return !moved;
}
