/* The log of a daemon that was started: it grows by what each says, and keeps its last megabyte. */
#ifndef CATMOUSE_CLIENT_LOG_FILE_H
#define CATMOUSE_CLIENT_LOG_FILE_H

#include <stddef.h>

enum { LOG_BYTES_KEPT = 1 << 20 };

/*
 * Where the log has more than twice LOG_BYTES_KEPT, leaves its last LOG_BYTES_KEPT, from the beginning of a line on.
 * Nobody writes to it meanwhile. What cannot be read or written stays as it is.
 */
void log_keep_end(const char *path);

/* The last line that is not empty, without its end, cut at `size`; empty where there is none. */
void log_last_line(const char *path, size_t size, char line[]);

#endif
