/* Structs out of MessagePack, field by field: what shape.c wrote, or a fault naming the field. */
#include "proto/shape_read.h"

#include <errno.h>
#include <string.h>

#include "proto/result.h"

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

struct result_reader {
  msgpack_zone *zone;
  struct fault *fault;
};

static int read_shape(const struct result_reader *reader, const struct shape *shape,
                      const msgpack_object *object, void *structure);

static int unexpected(const struct result_reader *reader, const char *key,
                      const msgpack_object *object)
{
  return fault_set(reader->fault, ERROR_INTERNAL, "the answer's %s is %s", key,
                   value_describe(object_value(object)).text);
}

static int read_text(const struct result_reader *reader, const char *key,
                     const msgpack_object *object, const char **text)
{
  struct value value = object_value(object);
  if (value.kind != VALUE_TEXT)
    return unexpected(reader, key, object);
  char *copy = msgpack_zone_malloc_no_align(reader->zone, value.length + 1);
  if (!copy)
    return -ENOMEM;
  value_copy_text(&value, value.length, copy);
  *text = copy;
  return 0;
}

static bool to_id(const struct value *value, char *id)
{
  bool fits = value->kind == VALUE_TEXT && value->length <= ID_TEXT;
  if (fits)
    value_copy_text(value, ID_TEXT, id);
  return fits;
}

static bool to_uint64(const struct value *value, uint64_t *number)
{
  *number = value->number;
  return value->kind == VALUE_UNSIGNED;
}

static bool to_named(const struct value *value, const struct packed_text *names, uint32_t *number)
{
  for (*number = 0; names[*number].head; ++*number)
    if (value_is_text(value, names[*number].text))
      return true;
  return false;
}

/* Numbers, words, truths and ids. False for what is none of this field. */
static bool read_small(const struct field *field, const msgpack_object *object, void *at,
                       void *other)
{
  const struct value value = object_value(object);
  const bool is_null = value.kind == VALUE_NIL;
  switch (field->type) {
  case FIELD_ID: return to_id(&value, at);
  case FIELD_BOOLEAN: *(bool *)at = value.number; return value.kind == VALUE_BOOLEAN;
  case FIELD_SOLVING: return value_is_text(&value, "solving");
  case FIELD_COLS:
  case FIELD_UINT32S:
  case FIELD_UINT32: return value_uint32(&value, at);
  case FIELD_UINT64S:
  case FIELD_UINT64: return to_uint64(&value, at);
  case FIELD_PLIES: *(uint32_t *)at = PLIES_NONE; return is_null || value_uint32(&value, at);
  case FIELD_NODE: *(bool *)other = !is_null; return is_null || value_uint32(&value, at);
  case FIELD_ENUM: return to_named(&value, field->names, at);
  default: return false;
  }
}

static int read_packed(const struct result_reader *reader, const char *key,
                       const msgpack_object *object, const char **bytes, uint32_t *count)
{
  msgpack_sbuffer packed;
  msgpack_packer packer;
  if (object->type != MSGPACK_OBJECT_MAP)
    return unexpected(reader, key, object);
  msgpack_sbuffer_init(&packed);
  msgpack_packer_init(&packer, &packed, msgpack_sbuffer_write);
  char *copy = NULL;
  if (msgpack_pack_object(&packer, *object) == 0)
    copy = msgpack_zone_malloc_no_align(reader->zone, packed.size);
  if (copy) {
    memcpy(copy, packed.data, packed.size);
    *bytes = copy;
    *count = (uint32_t)packed.size;
  }
  msgpack_sbuffer_destroy(&packed);
  return copy ? 0 : -ENOMEM;
}

static int read_element(const struct result_reader *reader, const struct field *field,
                        const msgpack_object *object, void *element)
{
  if (field->type == FIELD_TEXTS)
    return read_text(reader, field->key.text, object, element);
  if (field->type == FIELD_STRUCTS)
    return read_shape(reader, field->shape, object, element);
  return read_small(field, object, element, NULL) ? 0 : unexpected(reader, field->key.text, object);
}

static int read_list(const struct result_reader *reader, const struct field *field,
                     const msgpack_object *object, void **list, uint32_t *count)
{
  const msgpack_object_array *items = &object->via.array;
  const size_t bytes = field_element_bytes(field);
  if (object->type != MSGPACK_OBJECT_ARRAY)
    return unexpected(reader, field->key.text, object);
  char *element = msgpack_zone_malloc(reader->zone, items->size * bytes);
  if (!element)
    return -ENOMEM;
  *list = element;
  *count = items->size;
  for (uint32_t i = 0; i < items->size; i++) {
    int error = read_element(reader, field, &items->ptr[i], element + i * bytes);
    if (error)
      return error;
  }
  return 0;
}

static int read_limits(const struct result_reader *reader, const char *key,
                       const msgpack_object *object, const struct named_limit **list,
                       uint32_t *count)
{
  const msgpack_object_map *entries = &object->via.map;
  if (object->type != MSGPACK_OBJECT_MAP)
    return unexpected(reader, key, object);
  struct named_limit *limit = msgpack_zone_malloc(reader->zone, entries->size * sizeof *limit);
  if (!limit)
    return -ENOMEM;
  *list = limit;
  *count = entries->size;
  for (uint32_t i = 0; i < entries->size; i++) {
    const struct value value = object_value(&entries->ptr[i].val);
    int error = read_text(reader, key, &entries->ptr[i].key, &limit[i].name);
    if (error)
      return error;
    if (!to_uint64(&value, &limit[i].value))
      return unexpected(reader, key, &entries->ptr[i].val);
  }
  return 0;
}

static int read_value(const struct result_reader *reader, const struct field *field,
                      const msgpack_object *object, void *structure)
{
  void *at = (char *)structure + field->offset;
  void *other = (char *)structure + field->other;
  const char *key = field->key.text;
  switch (field->type) {
  case FIELD_TEXT: return read_text(reader, key, object, at);
  case FIELD_STRUCT:
    return field->is_null && object->type == MSGPACK_OBJECT_NIL
               ? 0
               : read_shape(reader, field->shape, object, at);
  case FIELD_PACKED: return read_packed(reader, key, object, at, other);
  case FIELD_LIMITS: return read_limits(reader, key, object, at, other);
  case FIELD_TEXTS:
  case FIELD_UINT32S:
  case FIELD_UINT64S:
  case FIELD_STRUCTS: return read_list(reader, field, object, at, other);
  default: return read_small(field, object, at, other) ? 0 : unexpected(reader, key, object);
  }
}

static int read_shape(const struct result_reader *reader, const struct shape *shape,
                      const msgpack_object *object, void *structure)
{
  if (object->type != MSGPACK_OBJECT_MAP)
    return unexpected(reader, "map", object);
  memset(structure, 0, shape->bytes);
  for (uint32_t i = 0; i < shape->count; i++) {
    const struct field *field = &shape->fields[i];
    const msgpack_object *value = object_at(object, field->key.text);
    if (!value && field->type == FIELD_COLS)
      continue;
    if (!value)
      return fault_set(reader->fault, ERROR_INTERNAL, "the answer has no %s", field->key.text);
    int error = read_value(reader, field, value, structure);
    if (error)
      return error;
  }
  return 0;
}

int shape_read(const struct shape *shape, const msgpack_object *object, msgpack_zone *zone,
               void *structure, struct fault *fault)
{
  struct result_reader reader = {zone, fault};
  return read_shape(&reader, shape, object, structure);
}
