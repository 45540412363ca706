/* msgpack-c may leave an empty text's pointer NULL, which memcpy() and its like must not see. */
#include "proto/object.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUOTED_MAX = 40 }; /* bytes of a text that a sentence repeats */

static struct description __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
  struct description said;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(said.text, sizeof said.text, format, arguments);
  va_end(arguments);
  return said;
}

static struct description object_quote(const msgpack_object *text)
{
  char printable[QUOTED_MAX + 1];
  uint32_t length = text->via.str.size, shown = length > QUOTED_MAX ? QUOTED_MAX : length;
  for (uint32_t i = 0; i < shown; i++) {
    char byte = text->via.str.ptr[i];
    printable[i] = byte < ' ' || byte > '~' ? '?' : byte;
  }
  return say("%.*s%s", (int)shown, printable, shown < length ? "..." : "");
}

struct description object_describe(const msgpack_object *object)
{
  switch (object->type) {
  case MSGPACK_OBJECT_NIL: return say("null");
  case MSGPACK_OBJECT_BOOLEAN: return say(object->via.boolean ? "true" : "false");
  case MSGPACK_OBJECT_POSITIVE_INTEGER: return say("%llu", (unsigned long long)object->via.u64);
  case MSGPACK_OBJECT_NEGATIVE_INTEGER: return say("%lld", (long long)object->via.i64);
  case MSGPACK_OBJECT_FLOAT32:
  case MSGPACK_OBJECT_FLOAT64: return say("%.15g", object->via.f64);
  case MSGPACK_OBJECT_STR: return say("\"%s\"", object_quote(object).text);
  case MSGPACK_OBJECT_ARRAY: return say("a list");
  case MSGPACK_OBJECT_MAP: return say("a map");
  case MSGPACK_OBJECT_BIN: return say("binary data");
  default: return say("an extension");
  }
}

void object_copy_text(const msgpack_object *text, uint32_t size, char *copy)
{
  if (size > text->via.str.size)
    size = text->via.str.size;
  if (size > 0)
    memcpy(copy, text->via.str.ptr, size);
  copy[size] = '\0';
}

bool object_is_text(const msgpack_object *object, const char *text)
{
  return object->type == MSGPACK_OBJECT_STR && object->via.str.size == strlen(text) &&
         (!*text || memcmp(object->via.str.ptr, text, object->via.str.size) == 0);
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
