/* The format: https://github.com/msgpack/msgpack/blob/master/spec.md */
#include "proto/pack.h"

#include <string.h>

static char *put_head(char *at, uint8_t first, uint64_t number, unsigned width)
{
  *at++ = (char)first;
  for (unsigned i = 0; i < width; i++)
    *at++ = (char)(number >> 8 * (width - 1 - i));
  return at;
}

static void append_head(struct buffer *out, uint8_t first, uint64_t number, unsigned width)
{
  char *end = buffer_reserve(out, PUT_MAX);
  if (end)
    out->length += (size_t)(put_head(end, first, number, width) - end);
}

void pack_nil(struct buffer *out)
{
  append_head(out, 0xc0, 0, 0);
}

void pack_bool(struct buffer *out, bool truth)
{
  append_head(out, truth ? 0xc3 : 0xc2, 0, 0);
}

/* Of a number after its first byte: 1, 2, 4 or 8 bytes, as 0 to 3, as first bytes are numbered. */
static unsigned width_class(uint64_t number)
{
  return (unsigned)(number > UINT8_MAX) + (number > UINT16_MAX) + (number > UINT32_MAX);
}

char *put_long_uint64(char *at, uint64_t number)
{
  unsigned class = width_class(number);
  return put_head(at, (uint8_t)(0xcc + class), number, 1u << class);
}

void pack_uint64(struct buffer *out, uint64_t number)
{
  char *end = buffer_reserve(out, PUT_MAX);
  if (end)
    out->length += (size_t)(put_uint64(end, number) - end);
}

void pack_int64(struct buffer *out, int64_t number)
{
  unsigned class = width_class(2 * ~(uint64_t)number); /* one bit more, for the sign */
  if (number >= 0)
    pack_uint64(out, (uint64_t)number);
  else if (number >= -32)
    append_head(out, (uint8_t)number, 0, 0);
  else
    append_head(out, (uint8_t)(0xd0 + class), (uint64_t)number, 1u << class);
}

void pack_real(struct buffer *out, double real)
{
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  append_head(out, 0xcb, bits, 8);
}

void pack_bytes_as_text(struct buffer *out, const char *bytes, uint32_t length)
{
  unsigned class = width_class(length);
  if (length < 32)
    append_head(out, (uint8_t)(0xa0 | length), 0, 0);
  else
    append_head(out, (uint8_t)(0xd9 + class), length, 1u << class);
  buffer_append(out, bytes, length);
}

void pack_text(struct buffer *out, const char *text)
{
  pack_bytes_as_text(out, text, (uint32_t)strlen(text));
}

static void append_count(struct buffer *out, uint8_t short_form, uint8_t wide_form, uint32_t count)
{
  if (count < 16)
    append_head(out, (uint8_t)(short_form | count), 0, 0);
  else if (count <= UINT16_MAX)
    append_head(out, wide_form, count, 2);
  else
    append_head(out, (uint8_t)(wide_form + 1), count, 4);
}

void pack_list_head(struct buffer *out, uint32_t count)
{
  append_count(out, 0x90, 0xdc, count);
}

void pack_long_map_head(struct buffer *out, uint32_t count)
{
  append_count(out, 0x80, 0xde, count);
}
