/*
 * What one solve shares between its parts and threads: the wish to stop, the counters that others
 * read, and the bytes held against the bound. Thread-safe.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_SOLVING_H
#define CATMOUSE_SOLVER_ENGINE_SOLVING_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/solve_options.h"

struct solving {
  const struct solve_options *options;
  atomic_uint_fast64_t held_bytes;
  atomic_uint_fast32_t *layers;    /* the longest distance found so far, in plies */
  atomic_uint_fast32_t own_layers; /* for a caller who does not ask */
  atomic_int error;                /* the first error of any part, 0 while all is well */
};

void solving_init(struct solving *solving, const struct solve_options *options);

/* Records an error unless there is one already. */
void solving_fail(struct solving *solving, int error);

/* Must everybody give up? True once stopped or failed; then `error` says why. */
static inline bool solving_over(struct solving *solving)
{
  const atomic_bool *stop = solving->options->stop;
  if (stop && atomic_load_explicit(stop, memory_order_relaxed))
    solving_fail(solving, -ECANCELED);
  return atomic_load_explicit(&solving->error, memory_order_relaxed) != 0;
}

/* Counts bytes as held. 0 or -EFBIG, recorded with solving_fail(). */
int solving_hold(struct solving *solving, uint64_t bytes);
void solving_release(struct solving *solving, uint64_t bytes);

/*
 * Zeroed memory at a multiple of 64, counted as held; large blocks are asked for in huge pages, and
 * are there when it returns. NULL with the error recorded, which may be that the solve was stopped.
 * solving_free() takes the same size.
 */
void *solving_alloc(struct solving *solving, size_t bytes);
void *solving_alloc_dirty(struct solving *solving, size_t bytes); /* not zeroed */
void solving_free(struct solving *solving, void *block, size_t bytes);

void solving_count(struct solving *solving, uint64_t decided);

/* States were found that are so many plies from the end. What is reported never steps back. */
void solving_layer(struct solving *solving, uint32_t layer);

#endif
