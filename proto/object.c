#include "proto/object.h"

struct value object_value(const msgpack_object *object)
{
  switch (object->type) {
  case MSGPACK_OBJECT_BOOLEAN:
    return (struct value){.kind = VALUE_BOOLEAN, .number = object->via.boolean};
  case MSGPACK_OBJECT_POSITIVE_INTEGER:
    return (struct value){.kind = VALUE_UNSIGNED, .number = object->via.u64};
  case MSGPACK_OBJECT_NEGATIVE_INTEGER:
    return (struct value){.kind = VALUE_SIGNED, .negative = object->via.i64};
  case MSGPACK_OBJECT_FLOAT32:
  case MSGPACK_OBJECT_FLOAT64: return (struct value){.kind = VALUE_REAL, .real = object->via.f64};
  case MSGPACK_OBJECT_STR: /* the pointer of an empty text may be NULL */
    return (struct value){object->via.str.size ? object->via.str.ptr : "",
                          .length = object->via.str.size, .kind = VALUE_TEXT};
  case MSGPACK_OBJECT_ARRAY: return (struct value){.kind = VALUE_LIST};
  case MSGPACK_OBJECT_MAP: return (struct value){.kind = VALUE_MAP};
  case MSGPACK_OBJECT_BIN: return (struct value){.kind = VALUE_BINARY};
  case MSGPACK_OBJECT_EXT: return (struct value){.kind = VALUE_EXTENSION};
  default: return (struct value){.kind = VALUE_NIL};
  }
}

const msgpack_object *object_at(const msgpack_object *map, const char *key)
{
  const msgpack_object_map *entries = &map->via.map;
  if (map->type != MSGPACK_OBJECT_MAP)
    return NULL;
  for (uint32_t i = 0; i < entries->size; i++)
    if (object_is_text(&entries->ptr[i].key, key))
      return &entries->ptr[i].val;
  return NULL;
}
