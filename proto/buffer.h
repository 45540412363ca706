/*
 * A growing run of bytes with a sticky error: once memory has run out, further writes are harmless
 * and `failed` stays set until buffer_clear(). The caller checks once, at the end.
 */
#ifndef CATMOUSE_PROTO_BUFFER_H
#define CATMOUSE_PROTO_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct buffer {
  char *data; /* owned */
  size_t length;
  size_t capacity;
  bool failed;
};

void buffer_init(struct buffer *buffer);
void buffer_deinit(struct buffer *buffer);

/* Forgets the bytes and the error, keeps the memory. */
void buffer_clear(struct buffer *buffer);

/* Room for `length` more bytes at the end, or NULL (and `failed`). The caller adds to `length` what it wrote. */
char *buffer_reserve(struct buffer *buffer, size_t length);
void buffer_append(struct buffer *buffer, const void *bytes, size_t length);

/* Drops bytes from the front. */
void buffer_consume(struct buffer *buffer, size_t length);

#endif
