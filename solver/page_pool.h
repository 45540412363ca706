/*
 * Large blocks in huge pages straight from the system, and a pool of such pages that were used
 * before. A fresh page has to be cleared first, and in a virtual machine whose host takes back free
 * memory it takes milliseconds to come: a large solve then waits for its memory longer than it
 * computes. A pooled page costs a hundredth of a fresh one. Any thread.
 */
#ifndef CATMOUSE_SOLVER_PAGE_POOL_H
#define CATMOUSE_SOLVER_PAGE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PAGES_FROM_BYTES = 1 << 20,  /* malloc() is for smaller blocks */
  PAGES_PIECE_BYTES = 2 << 20, /* a huge page: what is filled, pooled and moved at once */
};

/*
 * Reserves a block at a multiple of a huge page. Its pieces are to be filled before use. NULL when
 * out of memory.
 */
void *pages_alloc(size_t bytes);

/* Takes a block's size at pages_alloc(). Its pieces go to the pool as far as the limit allows. */
void pages_free(void *pages, size_t bytes);

/*
 * Gives memory to one piece of a block: up to PAGES_PIECE_BYTES from a multiple of that on. Once a
 * piece. A pooled page is moved there if there is one, with whatever it held; `zeroed` (may be
 * NULL) says if it is a fresh one instead. 0 or -ENOMEM.
 */
int pages_fill(void *piece, size_t bytes, bool *zeroed);

/*
 * The pool keeps at most so many bytes from now on. None before it is called, nor once the system
 * failed to move one.
 */
void page_pool_limit(uint64_t bytes);
uint64_t page_pool_bytes(void);

/*
 * Gives the pages back to the system: all, or as many as were in the pool at all times since the
 * last call.
 */
void page_pool_drop(void);
void page_pool_trim(void);

#endif
