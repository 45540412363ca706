/* msgpack-c may leave an empty text's pointer NULL, which memcpy() and its like must not see. */
#include "proto/object.h"

#include <stdio.h>
#include <string.h>

enum { QUOTED_MAX = 40 }; /* bytes of a text that a sentence repeats */

struct description object_quote(const msgpack_object *text)
{
  struct description quoted = {{0}};
  uint32_t length = text->via.str.size, shown = length > QUOTED_MAX ? QUOTED_MAX : length;
  for (uint32_t i = 0; i < shown; i++) {
    char byte = text->via.str.ptr[i];
    quoted.text[i] = byte < ' ' || byte > '~' ? '?' : byte;
  }
  if (shown < length)
    strcpy(quoted.text + shown, "...");
  return quoted;
}

struct description object_describe(const msgpack_object *object)
{
  struct description said = {{0}};
  const size_t size = sizeof said.text;
  switch (object->type) {
  case MSGPACK_OBJECT_NIL: strcpy(said.text, "null"); break;
  case MSGPACK_OBJECT_BOOLEAN: strcpy(said.text, object->via.boolean ? "true" : "false"); break;
  case MSGPACK_OBJECT_POSITIVE_INTEGER:
    snprintf(said.text, size, "%llu", (unsigned long long)object->via.u64);
    break;
  case MSGPACK_OBJECT_NEGATIVE_INTEGER:
    snprintf(said.text, size, "%lld", (long long)object->via.i64);
    break;
  case MSGPACK_OBJECT_FLOAT32:
  case MSGPACK_OBJECT_FLOAT64: snprintf(said.text, size, "%.15g", object->via.f64); break;
  case MSGPACK_OBJECT_STR: snprintf(said.text, size, "\"%.66s\"", object_quote(object).text); break;
  case MSGPACK_OBJECT_ARRAY: strcpy(said.text, "a list"); break;
  case MSGPACK_OBJECT_MAP: strcpy(said.text, "a map"); break;
  case MSGPACK_OBJECT_BIN: strcpy(said.text, "binary data"); break;
  default: strcpy(said.text, "an extension"); break;
  }
  return said;
}

void object_copy_text(const msgpack_object *text, uint32_t size, char *copy)
{
  if (size > text->via.str.size)
    size = text->via.str.size;
  if (size > 0)
    memcpy(copy, text->via.str.ptr, size);
  copy[size] = '\0';
}

bool object_text_has(const msgpack_object *text, char byte)
{
  return text->via.str.size > 0 && memchr(text->via.str.ptr, byte, text->via.str.size);
}

bool object_is_text(const msgpack_object *object, const char *text)
{
  return object->type == MSGPACK_OBJECT_STR && object->via.str.size == strlen(text) &&
         (!*text || memcmp(object->via.str.ptr, text, object->via.str.size) == 0);
}

bool object_is_integer(const msgpack_object *object)
{
  return object->type == MSGPACK_OBJECT_POSITIVE_INTEGER ||
         object->type == MSGPACK_OBJECT_NEGATIVE_INTEGER;
}

bool object_int64(const msgpack_object *object, int64_t *number)
{
  bool positive = object->type == MSGPACK_OBJECT_POSITIVE_INTEGER;
  bool negative = object->type == MSGPACK_OBJECT_NEGATIVE_INTEGER;
  if (!negative && !(positive && object->via.u64 <= INT64_MAX))
    return false;
  *number = object->via.i64;
  return true;
}

bool object_int32(const msgpack_object *object, int32_t *number)
{
  int64_t wide;
  if (!object_int64(object, &wide) || wide < INT32_MIN || wide > INT32_MAX)
    return false;
  *number = (int32_t)wide;
  return true;
}

bool object_uint64(const msgpack_object *object, uint64_t *number)
{
  if (object->type != MSGPACK_OBJECT_POSITIVE_INTEGER)
    return false;
  *number = object->via.u64;
  return true;
}

bool object_uint32(const msgpack_object *object, uint32_t *number)
{
  uint64_t wide;
  if (!object_uint64(object, &wide) || wide > UINT32_MAX)
    return false;
  *number = (uint32_t)wide;
  return true;
}
