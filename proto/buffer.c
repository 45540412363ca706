/* A growing run of bytes. It doubles, so appending n bytes one by one takes O(n). */
#include "proto/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_MIN = 256 };

void buffer_init(struct buffer *buffer)
{
  *buffer = (struct buffer){0};
}

void buffer_deinit(struct buffer *buffer)
{
  free(buffer->data);
  buffer_init(buffer);
}

void buffer_clear(struct buffer *buffer)
{
  buffer->length = 0;
  buffer->failed = false;
}

static bool buffer_grow(struct buffer *buffer, size_t needed)
{
  size_t capacity = buffer->capacity ? buffer->capacity : CAPACITY_MIN;
  while (capacity < needed)
    capacity = capacity > SIZE_MAX / 2 ? needed : 2 * capacity;
  char *data = realloc(buffer->data, capacity);
  if (!data)
    return false;
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

char *buffer_reserve_more(struct buffer *buffer, size_t length)
{
  bool fits = length <= SIZE_MAX - buffer->length;
  if (!buffer->failed)
    buffer->failed = !fits || !buffer_grow(buffer, buffer->length + length);
  return buffer->failed ? NULL : buffer->data + buffer->length;
}

void buffer_consume(struct buffer *buffer, size_t length)
{
  buffer->length -= length;
  if (buffer->length > 0)
    memmove(buffer->data, buffer->data + length, buffer->length);
}
