/* Makes one chosen allocation fail, to prove that every caller survives it and leaks nothing. */
#ifndef CATMOUSE_TESTS_SUPPORT_FAILING_ALLOC_H
#define CATMOUSE_TESTS_SUPPORT_FAILING_ALLOC_H

#include <stdbool.h>

/* From now on, allocations of this thread count up from 0 and the one numbered `nth` fails. */
void failing_alloc_arm(long nth);

/* Back to normal. True when the armed allocation was reached and failed. */
bool failing_alloc_disarm(void);

/* Blocks of this thread's armed spans allocated and not freed since. */
long failing_alloc_outstanding(void);

#endif
