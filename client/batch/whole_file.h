/* Whole files as text. */
#ifndef CATMOUSE_CLIENT_BATCH_WHOLE_FILE_H
#define CATMOUSE_CLIENT_BATCH_WHOLE_FILE_H

#include "proto/buffer.h"

/* Appends all of it; "-" is standard input. 0 or a negative errno; -EFBIG past `most` bytes. */
int whole_file_read(const char *path, size_t most, struct buffer *text);

#endif
