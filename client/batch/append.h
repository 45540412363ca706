/* Text and JSON appended to a buffer. */
#ifndef CATMOUSE_CLIENT_BATCH_APPEND_H
#define CATMOUSE_CLIENT_BATCH_APPEND_H

#include <stdint.h>

#include "proto/buffer.h"

void append(struct buffer *out, const char *text);
void append_number(struct buffer *out, uint64_t number);
void append_format(struct buffer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A JSON text. Bytes that are no UTF-8 are what they would be in Latin 1, so that all of them can be had back. */
void append_json_text(struct buffer *out, const char *text, size_t length);

#endif
