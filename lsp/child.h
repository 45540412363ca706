/* A program run beside the loop: bytes in, bytes out. */
#ifndef CATMOUSE_LSP_CHILD_H
#define CATMOUSE_LSP_CHILD_H

#include <stdbool.h>
#include <uv.h>

#include "proto/buffer.h"

struct child;

/*
 * Runs `arguments` (ended by NULL; the first is the program) with `length` bytes, which are copied, as its standard
 * input. When it has ended, `on_end` is told whether it ended well, with all that it wrote: to standard output
 * then, else to standard error. NULL where it cannot be started.
 */
struct child *child_start(uv_loop_t *loop, const char *const *arguments, const char *bytes,
                          size_t length, void *owner,
                          void (*on_end)(void *owner, bool well, const struct buffer *said));

/* Ends it; nobody is told. */
void child_drop(struct child *child);

#endif
