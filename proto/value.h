/*
 * Values read off MessagePack bytes one after another, without a tree of them and without
 * allocating. Requests come this way in every encoding (JSON is turned into MessagePack first,
 * json_read.h). Private to proto.
 */
#ifndef CATMOUSE_PROTO_VALUE_H
#define CATMOUSE_PROTO_VALUE_H

#include <errno.h>
#include <string.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"

enum value_kind {
  VALUE_NONE, /* 0xc1, which begins nothing */
  VALUE_NIL,
  VALUE_BOOLEAN,
  VALUE_UNSIGNED,
  VALUE_SIGNED, /* below 0 */
  VALUE_REAL,
  VALUE_TEXT,
  VALUE_BINARY,
  VALUE_EXTENSION,
  VALUE_LIST,
  VALUE_MAP,
};

/*
 * One value. What a list or a map holds is read next, item by item; a map's keys are items too. A
 * real that is a whole number is read as an integer: 2.0 is 2.
 */
struct value {
  const char *payload; /* where the head ends: of a text and its like, the bytes; borrowed */
  union {
    uint64_t number;   /* VALUE_UNSIGNED, VALUE_BOOLEAN */
    int64_t negative;  /* VALUE_SIGNED */
    double real;       /* VALUE_REAL */
    uint64_t length;   /* of the payload, in bytes */
    uint64_t children; /* items of a list; of a map, two for each entry */
  };
  enum value_kind kind;
};

/* A place in a message. Bytes that are no value make every further value nil; `error` tells. */
struct reader {
  const char *at, *end;
  int error; /* 0, -EAGAIN for a message cut short, -EBADMSG for a byte that begins no value */
};

struct reader reader_on(const char *bytes, size_t length);

/* Reads a head of one byte, which most items have. False where it takes more. */
static inline bool value_read_short_head(const char *bytes, struct value *value)
{
  uint8_t first = (uint8_t)*bytes;
  value->payload = bytes + 1;
  if (first < 0x80) {
    value->kind = VALUE_UNSIGNED;
    value->number = first;
  } else if (first < 0x90) {
    value->kind = VALUE_MAP;
    value->children = 2 * (uint64_t)(first & 0x0f);
  } else if (first < 0xa0) {
    value->kind = VALUE_LIST;
    value->children = first & 0x0f;
  } else if (first < 0xc0) {
    value->kind = VALUE_TEXT;
    value->length = first & 0x1f;
  } else if (first >= 0xe0) {
    value->kind = VALUE_SIGNED;
    value->negative = first - 256;
  } else {
    return false;
  }
  return true;
}

/* value_read_head() where that takes more than one byte. */
int value_read_long_head(const char *bytes, size_t length, struct value *value);

/*
 * What an item's head says; its payload or its children may not have come. 0, -EAGAIN when the head
 * is not complete, or -EBADMSG for the byte that begins nothing.
 */
static inline int value_read_head(const char *bytes, size_t length, struct value *value)
{
  if (length == 0)
    return -EAGAIN;
  return value_read_short_head(bytes, value) ? 0 : value_read_long_head(bytes, length, value);
}

static inline uint64_t value_payload_bytes(const struct value *value)
{
  return value->kind >= VALUE_TEXT && value->kind < VALUE_LIST ? value->length : 0;
}

/* reader_next() where the first byte does not say it all. */
void reader_next_long(struct reader *reader, struct value *value);

/* The value that begins here. */
static inline void reader_next(struct reader *reader, struct value *value)
{
  size_t length = (size_t)(reader->end - reader->at);
  if (length == 0 || !value_read_short_head(reader->at, value) ||
      value_payload_bytes(value) >= length)
    reader_next_long(reader, value);
  else
    reader->at = value->payload + value_payload_bytes(value);
}

static inline bool value_is_list(const struct value *value)
{
  return value->kind == VALUE_LIST;
}

static inline bool value_is_map(const struct value *value)
{
  return value->kind == VALUE_MAP;
}

/* reader_skip() where there are children. */
void reader_skip_children(struct reader *reader, uint64_t children);

/* Passes the children of the value just read; nothing where it has none. */
static inline void reader_skip(struct reader *reader, const struct value *value)
{
  if (value_is_list(value) || value_is_map(value))
    reader_skip_children(reader, value->children);
}

/* 0, or -EBADMSG with `fault` where the message was cut short, malformed, or goes on here. */
int reader_finish(const struct reader *reader, struct fault *fault);

/* Does a text of this length say `text`? For a literal that is one or two comparisons. */
static inline bool text_is(const char *bytes, uint64_t length, const char *text)
{
  return length == strlen(text) && memcmp(bytes, text, length) == 0;
}

static inline bool value_is_text(const struct value *value, const char *text)
{
  return value->kind == VALUE_TEXT && text_is(value->payload, value->length, text);
}

/* False unless it is an integer within the bounds. */
static inline bool value_uint32(const struct value *value, uint32_t *number)
{
  if (value->kind != VALUE_UNSIGNED || value->number > UINT32_MAX)
    return false;
  *number = (uint32_t)value->number;
  return true;
}

static inline bool value_is_integer(const struct value *value)
{
  return value->kind == VALUE_UNSIGNED || value->kind == VALUE_SIGNED;
}

static inline bool value_int64(const struct value *value, int64_t *number)
{
  bool fits =
      value->kind == VALUE_SIGNED || (value->kind == VALUE_UNSIGNED && value->number <= INT64_MAX);
  if (fits)
    *number = value->negative;
  return fits;
}

static inline bool value_int32(const struct value *value, int32_t *number)
{
  int64_t wide;
  if (!value_int64(value, &wide) || wide < INT32_MIN || wide > INT32_MAX)
    return false;
  *number = (int32_t)wide;
  return true;
}

/* Copies at most `size` bytes of a text and ends them with a NUL. */
static inline void value_copy_text(const struct value *text, size_t size, char *copy)
{
  if (size > text->length)
    size = text->length;
  memcpy(copy, text->payload, size);
  copy[size] = '\0';
}

struct description {
  char text[72];
};

/* "a list", "null", 1.5, or a text in quotes: what a sentence can call it. */
struct description value_describe(struct value value);

/* The text alone, cut; control characters and what is no UTF-8 are shown as \x1b. */
struct description value_quote(struct value text);

/* -EBADMSG, and `fault` says that the value at `place` is not of the kind that it must be. */
int value_refuse(const struct value *value, enum error error, const char *place, const char *kind,
                 struct fault *fault);

#endif
