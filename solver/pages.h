/* Large zeroed blocks straight from the system, in huge pages where it has them. */
#ifndef CATMOUSE_SOLVER_PAGES_H
#define CATMOUSE_SOLVER_PAGES_H

#include <stddef.h>

enum {
  PAGES_FROM_BYTES =
      1 << 20, /* from this size on, a block is better asked of the system than of malloc() */
  PAGES_PIECE_BYTES = 2 << 20, /* a huge page: what is cleared at once */
};

/* Zeroed, on a multiple of a huge page. NULL when out of memory. pages_free() takes the same size. */
void *pages_alloc(size_t bytes);
void pages_free(void *pages, size_t bytes);

/* Gives back what lies beyond `kept_bytes`, the size from now on. */
void pages_cut(void *pages, size_t bytes, size_t kept_bytes);

/* Has the system clear fresh memory now, not when it is first used; where it was used, zeroes a byte a page. */
void pages_touch(void *fresh, size_t bytes);

#endif
