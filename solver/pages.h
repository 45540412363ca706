/* Large zeroed blocks straight from the system, in huge pages where it has them. */
#ifndef CATMOUSE_SOLVER_PAGES_H
#define CATMOUSE_SOLVER_PAGES_H

#include <stddef.h>

/* From this size on, a block is better asked of the system than of malloc(). */
enum { PAGES_FROM_BYTES = 1 << 20 };

/* Zeroed, on a multiple of a huge page. NULL when out of memory. pages_free() takes the same size. */
void *pages_alloc(size_t bytes);
void pages_free(void *pages, size_t bytes);

#endif
