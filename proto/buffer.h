/*
 * A growing run of bytes with a sticky error: once memory has run out, further writes are harmless
 * and `failed` stays set until buffer_clear(). The caller checks once, at the end.
 */
#ifndef CATMOUSE_PROTO_BUFFER_H
#define CATMOUSE_PROTO_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

/* buffer_reserve() where there is no room yet. */
char *buffer_reserve_more(struct buffer *buffer, size_t length);

/* Room for so many more bytes at the end, or NULL (and `failed`). The caller adds to `length`. */
static inline char *buffer_reserve(struct buffer *buffer, size_t length)
{
  if (buffer->data && !buffer->failed && length <= buffer->capacity - buffer->length)
    return buffer->data + buffer->length;
  return buffer_reserve_more(buffer, length);
}

static inline void buffer_append(struct buffer *buffer, const void *bytes, size_t length)
{
  char *end = buffer_reserve(buffer, length);
  if (!end || length == 0)
    return;
  memcpy(end, bytes, length);
  buffer->length += length;
}

/* Drops bytes from the front. */
void buffer_consume(struct buffer *buffer, size_t length);

#endif
