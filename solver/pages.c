/*
 * Fresh pages are zero without being cleared twice, and a fault for every 2 MB instead of every 4 kB
 * is what makes writing a table once cheap.
 */
#include "solver/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096, HUGE_PAGE = PAGES_PIECE_BYTES };

static size_t whole_pages(size_t bytes)
{
  return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* Maps a huge page too much, then gives back what lies before and after the aligned part. */
void *pages_alloc(size_t bytes)
{
  size_t size = whole_pages(bytes);
  if (size < bytes || size > SIZE_MAX - HUGE_PAGE)
    return NULL;
  uint8_t *start = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
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
  munmap(pages, whole_pages(bytes));
}

void pages_cut(void *pages, size_t bytes, size_t kept_bytes)
{
  size_t kept = whole_pages(kept_bytes), size = whole_pages(bytes);
  if (kept < size)
    munmap((uint8_t *)pages + kept, size - kept);
}

void pages_touch(void *fresh, size_t bytes)
{
  for (size_t at = 0; at < bytes; at += PAGE_BYTES)
    ((volatile uint8_t *)fresh)[at] = 0;
}
