/* The bytes of a stream of puzzles: files one after another, or standard input; unpacked where their first bytes say so. */
#ifndef CATMOUSE_CLIENT_BATCH_INPUT_H
#define CATMOUSE_CLIENT_BATCH_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct input; /* opaque */

enum { INPUT_ERROR_BYTES = 400 };

/* "-" is standard input; no names at all too. The names are borrowed. NULL when out of memory. */
struct input *input_new(const char *const *names, int count);
void input_free(struct input *input);

/*
 * The next bytes, at most `size`: how many, or 0 at the end of all. Waits at most `wait_ms` for the first of them (-1:
 * as long as it takes). -EAGAIN where none came in time, -EINTR after a signal; another negative errno with the
 * sentence in input_error(), and then what was read before is all there is. A line end is put behind a file that has
 * none.
 */
ssize_t input_read(struct input *input, void *bytes, size_t size, int wait_ms);
const char *input_error(const struct input *input);

/* Bytes of all files together, 0 where some are not known, and how many of them were taken so far. Any thread. */
uint64_t input_total(const struct input *input);
uint64_t input_taken(const struct input *input);

#endif
