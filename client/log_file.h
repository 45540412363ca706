/* The log of a daemon that was started: it grows by what each says, and keeps its last megabyte. */
#ifndef CATMOUSE_CLIENT_LOG_FILE_H
#define CATMOUSE_CLIENT_LOG_FILE_H

#include <stddef.h>
#include <sys/types.h>

enum { LOG_BYTES_KEPT = 1 << 20 };

/*
 * Where the log has more than twice LOG_BYTES_KEPT, leaves its last LOG_BYTES_KEPT, from the beginning of a line on.
 * Nobody writes to it meanwhile. What cannot be read or written stays as it is.
 */
void log_keep_end(const char *path);

/* In bytes; 0 where there is none. */
off_t log_length(const char *path);

/* The last line behind the first `from` bytes that is not empty, without its end, cut at `size`; empty where none is. */
void log_last_line(const char *path, off_t from, size_t size, char line[]);

#endif
