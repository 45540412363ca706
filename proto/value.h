/*
 * Values read off MessagePack bytes one after another, without a tree of them and without allocating.
 * Requests come this way in every encoding (JSON is turned into MessagePack first, json_read.h).
 * Private to proto.
 */
#ifndef CATMOUSE_PROTO_VALUE_H
#define CATMOUSE_PROTO_VALUE_H

#include <errno.h>

#include "proto/errors.h"
#include "proto/msgpack_scan.h"

/* One value's head; a text's bytes lie at `payload`, a list's or map's children are read next. */
struct value {
  struct msgpack_item item;
  const char *payload; /* borrowed from the message */
};

/* A place in a message. Bytes that are no value make every further value nil; `error` tells. */
struct reader {
  const char *at, *end;
  int error; /* 0, -EAGAIN for a message cut short, -EBADMSG for a byte that begins no value */
};

struct reader reader_on(const char *bytes, size_t length);

/* Notes the error, if it is the first; returns nil. */
struct value reader_break(struct reader *reader, int error);

/* The value that begins here. */
static inline struct value reader_next(struct reader *reader)
{
  struct value value;
  size_t length = (size_t)(reader->end - reader->at);
  int error = reader->error ? reader->error : msgpack_item_read(reader->at, length, &value.item);
  if (error)
    return reader_break(reader, error);
  if (value.item.payload_bytes > length - value.item.head_bytes)
    return reader_break(reader, -EAGAIN);
  value.payload = reader->at + value.item.head_bytes;
  reader->at = value.payload + value.item.payload_bytes;
  return value;
}

/* reader_skip() where there are children. */
void reader_skip_children(struct reader *reader, uint64_t children);

/* Passes the children of the value just read; nothing where it has none. */
static inline void reader_skip(struct reader *reader, const struct value *value)
{
  if (value->item.children > 0)
    reader_skip_children(reader, value->item.children);
}

/* 0, or -EBADMSG with `fault` where the message was cut short, malformed, or is not at its end now. */
int reader_finish(const struct reader *reader, struct fault *fault);

/* Does a text of this length say `text`? */
static inline bool text_is(const char *bytes, uint64_t length, const char *text)
{
  uint64_t same = 0;
  while (same < length && text[same] && bytes[same] == text[same])
    same++;
  return same == length && text[same] == '\0';
}

static inline bool value_is_text(const struct value *value, const char *text)
{
  return value->item.kind == ITEM_TEXT && text_is(value->payload, value->item.payload_bytes, text);
}

static inline bool value_is_list(const struct value *value)
{
  return value->item.kind == ITEM_LIST;
}

static inline bool value_is_map(const struct value *value)
{
  return value->item.kind == ITEM_MAP;
}

/* False unless it is an integer within the bounds. */
static inline bool value_uint32(const struct value *value, uint32_t *number)
{
  if (value->item.kind != ITEM_UNSIGNED || value->item.number > UINT32_MAX)
    return false;
  *number = (uint32_t)value->item.number;
  return true;
}
bool value_int32(const struct value *value, int32_t *number);
bool value_int64(const struct value *value, int64_t *number);
bool value_is_integer(const struct value *value);

/* Copies at most `size` bytes of a text and ends them with a NUL. */
void value_copy_text(const struct value *text, size_t size, char *copy);

struct description {
  char text[72];
};

/* "a list", "null", 1.5, or a text in quotes: what a sentence can call it. Always printable ASCII. */
struct description value_describe(const struct value *value);

/* The text alone, cut and made printable. */
struct description value_quote(const struct value *text);

#endif
