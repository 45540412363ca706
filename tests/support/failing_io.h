/* Makes one chosen file operation fail, to prove that every caller survives it. For programs linked so. */
#ifndef CATMOUSE_TESTS_SUPPORT_FAILING_IO_H
#define CATMOUSE_TESTS_SUPPORT_FAILING_IO_H

#include <stdbool.h>

/* From now on, reads, writes, syncs, renames, removals and opens of all threads count up from 0; the nth fails with `error`. */
void failing_io_arm(int error, long nth);

/* Back to normal. True when the armed operation was reached and failed. */
bool failing_io_disarm(void);

#endif
