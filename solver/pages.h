/* Large blocks straight from the system, in huge pages where it has them. */
#ifndef CATMOUSE_SOLVER_PAGES_H
#define CATMOUSE_SOLVER_PAGES_H

#include <stdbool.h>
#include <stddef.h>

enum {
  PAGES_FROM_BYTES =
      1 << 20, /* from this size on, a block is better asked of the system than of malloc() */
  PAGES_PIECE_BYTES = 2 << 20, /* a huge page: what is cleared at once */
};

/*
 * Zeroed, on a multiple of a huge page; it takes memory as it is filled, or touched. NULL when out of memory.
 * pages_free() takes the same size.
 */
void *pages_alloc(size_t bytes);
void pages_free(void *pages, size_t bytes);

/* Gives back what lies beyond `left_bytes`, the size from now on. */
void pages_cut(void *pages, size_t bytes, size_t left_bytes);

/*
 * Has memory there now for a piece of a block, the first time that it is used: up to PAGES_PIECE_BYTES from a
 * multiple of that. What was kept of other blocks is taken first (kept.h). Is it zeroed?
 */
bool pages_fill(void *piece, size_t bytes);

#endif
