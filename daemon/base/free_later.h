/*
 * Gives memory back without holding up the loop: a large block costs milliseconds. What is small is freed at
 * once; what is large is freed by a thread of the pool. The loop's thread.
 */
#ifndef CATMOUSE_DAEMON_BASE_FREE_LATER_H
#define CATMOUSE_DAEMON_BASE_FREE_LATER_H

#include <stdint.h>

#include "daemon/base/workers.h"

/* From so many bytes on, another thread frees a block. */
enum { FREE_LATER_BYTES = 256 << 10 };

/* Calls `free_thing(thing)`, such as free(), which any thread may do, for a thing of so many bytes. */
void free_later(struct workers *workers, void (*free_thing)(void *thing), void *thing,
                uint64_t bytes);

#endif
