/*
 * What one solve shares between its parts and threads: the wish to stop, the counters that others
 * read, and the bytes held against the bound. Thread-safe.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_JOB_H
#define CATMOUSE_SOLVER_ENGINE_JOB_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/solve.h"

struct job {
  const struct solve_options *options;
  atomic_uint_fast64_t held_bytes;
  atomic_uint_fast32_t *layers;    /* the longest distance found so far, in plies */
  atomic_uint_fast32_t own_layers; /* for a caller who does not ask */
  atomic_int error;                /* the first error of any part, 0 while all is well */
};

void job_init(struct job *job, const struct solve_options *options);

/* Records an error unless there is one already. */
void job_fail(struct job *job, int error);

/* Must everybody give up? True once stopped or failed; then job->error says why. */
static inline bool job_over(struct job *job)
{
  const atomic_bool *stop = job->options->stop;
  if (stop && atomic_load_explicit(stop, memory_order_relaxed))
    job_fail(job, -ECANCELED);
  return atomic_load_explicit(&job->error, memory_order_relaxed) != 0;
}

/* Counts bytes as held. 0 or -EFBIG, recorded with job_fail(). */
int job_hold(struct job *job, uint64_t bytes);
void job_release(struct job *job, uint64_t bytes);

/*
 * Zeroed memory at a multiple of 64, counted as held; large blocks are asked for in huge pages, and are there when
 * it returns. NULL with the error recorded, which may be that the solve was stopped. job_free() takes the same size.
 */
void *job_alloc(struct job *job, size_t bytes);
void *job_alloc_dirty(struct job *job, size_t bytes); /* not zeroed */
void job_free(struct job *job, void *block, size_t bytes);

void job_count(struct job *job, uint64_t decided);

/* States were found that are so many plies from the end. What is reported never steps back. */
void job_layer(struct job *job, uint32_t layer);

#endif
