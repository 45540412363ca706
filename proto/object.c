/* msgpack-c may leave an empty text's pointer NULL, which memcpy() and its like must not see. */
#include "proto/object.h"

#include <string.h>

/* The same as it would be read off its bytes. */
static struct value value_of(const msgpack_object *object)
{
  switch (object->type) {
  case MSGPACK_OBJECT_BOOLEAN:
    return (struct value){.kind = ITEM_BOOLEAN, .number = object->via.boolean};
  case MSGPACK_OBJECT_POSITIVE_INTEGER:
    return (struct value){.kind = ITEM_UNSIGNED, .number = object->via.u64};
  case MSGPACK_OBJECT_NEGATIVE_INTEGER:
    return (struct value){.kind = ITEM_SIGNED, .negative = object->via.i64};
  case MSGPACK_OBJECT_FLOAT32:
  case MSGPACK_OBJECT_FLOAT64: return (struct value){.kind = ITEM_REAL, .real = object->via.f64};
  case MSGPACK_OBJECT_STR:
    return (struct value){object->via.str.ptr, .length = object->via.str.size, .kind = ITEM_TEXT};
  case MSGPACK_OBJECT_ARRAY: return (struct value){.kind = ITEM_LIST};
  case MSGPACK_OBJECT_MAP: return (struct value){.kind = ITEM_MAP};
  case MSGPACK_OBJECT_BIN: return (struct value){.kind = ITEM_BINARY};
  case MSGPACK_OBJECT_EXT: return (struct value){.kind = ITEM_EXTENSION};
  default: return (struct value){.kind = ITEM_NIL};
  }
}

struct description object_describe(const msgpack_object *object)
{
  return value_describe(value_of(object));
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
