/* MessagePack into a buffer, each value in its shortest form. Private to proto. */
#ifndef CATMOUSE_PROTO_PACK_H
#define CATMOUSE_PROTO_PACK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proto/buffer.h"
#include "solver/id.h"

/* A short text after its head, as it goes over the wire: a table's keys are written in one go. */
struct packed_text {
  uint8_t head;
  char text[31];
};
#define PACKED_TEXT(literal)            \
  {                                     \
    0xa0 + sizeof(literal) - 1, literal \
  }

/* These write one value where there is room for it, and return its end. */
enum { PUT_MAX = 2 + ID_TEXT }; /* bytes they may write to, whatever they need */
char *put_long_uint64(char *at, uint64_t number);

static inline char *put_uint64(char *at, uint64_t number)
{
  if (number >= 0x80)
    return put_long_uint64(at, number);
  *at = (char)number;
  return at + 1;
}

static inline char *put_packed_text(char *at, const struct packed_text *packed)
{
  unsigned length = packed->head & 0x1fu;
  memcpy(at, packed, sizeof *packed / 2);
  if (length >= sizeof *packed / 2)
    memcpy(at, packed, sizeof *packed);
  return at + 1 + length;
}

static inline char *put_id(char *at, const char id[static ID_TEXT])
{
  at[0] = (char)0xd9;
  at[1] = ID_TEXT;
  memcpy(at + 2, id, ID_TEXT);
  return at + 2 + ID_TEXT;
}

static inline char *put_nil(char *at)
{
  *at = (char)0xc0;
  return at + 1;
}

static inline char *put_bool(char *at, bool truth)
{
  *at = (char)(truth ? 0xc3 : 0xc2);
  return at + 1;
}

/* These append one value to `out`, which keeps the error when memory runs out. */
void pack_nil(struct buffer *out);
void pack_bool(struct buffer *out, bool truth);
void pack_uint64(struct buffer *out, uint64_t number);
void pack_int64(struct buffer *out, int64_t number);
void pack_real(struct buffer *out, double real);
void pack_text(struct buffer *out, const char *text);
void pack_bytes_as_text(struct buffer *out, const char *bytes, uint32_t length);

/* Heads: the items, or the keys and values in turn, are to follow. */
void pack_list_head(struct buffer *out, uint32_t count);
void pack_long_map_head(struct buffer *out, uint32_t count);

static inline void pack_map_head(struct buffer *out, uint32_t count)
{
  char byte = (char)(0x80 | count);
  if (count < 16)
    buffer_append(out, &byte, 1);
  else
    pack_long_map_head(out, count);
}

#endif
