/* Makes one chosen allocation fail, to prove that every caller survives it and leaks nothing. */
#ifndef CATMOUSE_TESTS_SUPPORT_FAILING_ALLOC_H
#define CATMOUSE_TESTS_SUPPORT_FAILING_ALLOC_H

#include <stdatomic.h>
#include <stdbool.h>

/* From now on, allocations of this thread count up from 0 and the one numbered `nth` fails. */
void failing_alloc_arm(long nth);

/* The same, and so do all later ones. */
void failing_alloc_arm_from(long nth);

/* As failing_alloc_arm(), but that allocation succeeds and sets `flag`. */
void failing_alloc_arm_flag(long nth, atomic_bool *flag);

/* Back to normal. True when the armed allocation was reached. */
bool failing_alloc_disarm(void);

/* Blocks of this thread's armed spans allocated and not freed since. */
long failing_alloc_outstanding(void);

/* Bytes that this thread has mapped and not unmapped since it armed; a page in part counts as it was asked for. */
long failing_alloc_mapped(void);

#endif
