/* Structs out of MessagePack, field by field: what shape.c wrote, or a fault naming the field. */
#include "proto/shape_read.h"

#include <errno.h>
#include <string.h>

#include "proto/object.h"
#include "proto/result.h"

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
                   object_describe(object).text);
}

static int read_text(const struct result_reader *reader, const char *key,
                     const msgpack_object *object, const char **text)
{
  if (object->type != MSGPACK_OBJECT_STR)
    return unexpected(reader, key, object);
  uint32_t size = object->via.str.size;
  char *copy = msgpack_zone_malloc_no_align(reader->zone, size + (size_t)1);
  if (!copy)
    return -ENOMEM;
  object_copy_text(object, size, copy);
  *text = copy;
  return 0;
}

static int read_id(const struct result_reader *reader, const char *key,
                   const msgpack_object *object, char *id)
{
  if (object->type != MSGPACK_OBJECT_STR || object->via.str.size > ID_TEXT)
    return unexpected(reader, key, object);
  object_copy_text(object, ID_TEXT, id);
  return 0;
}

static int read_bool(const struct result_reader *reader, const char *key,
                     const msgpack_object *object, bool *truth)
{
  if (object->type != MSGPACK_OBJECT_BOOLEAN)
    return unexpected(reader, key, object);
  *truth = object->via.boolean;
  return 0;
}

static int read_solving(const struct result_reader *reader, const char *key,
                        const msgpack_object *object)
{
  return object_is_text(object, "solving") ? 0 : unexpected(reader, key, object);
}

static int read_uint32(const struct result_reader *reader, const char *key,
                       const msgpack_object *object, uint32_t *number)
{
  return object_uint32(object, number) ? 0 : unexpected(reader, key, object);
}

static int read_uint64(const struct result_reader *reader, const char *key,
                       const msgpack_object *object, uint64_t *number)
{
  return object_uint64(object, number) ? 0 : unexpected(reader, key, object);
}

static int read_node(const struct result_reader *reader, const char *key,
                     const msgpack_object *object, uint32_t *node, bool *there)
{
  *there = object->type != MSGPACK_OBJECT_NIL;
  return *there ? read_uint32(reader, key, object, node) : 0;
}

static int read_plies(const struct result_reader *reader, const char *key,
                      const msgpack_object *object, uint32_t *plies)
{
  *plies = PLIES_NONE;
  return object->type == MSGPACK_OBJECT_NIL ? 0 : read_uint32(reader, key, object, plies);
}

static int read_enum(const struct result_reader *reader, const struct field *field,
                     const msgpack_object *object, uint32_t *number)
{
  for (uint32_t i = 0; field->names[i].head; i++)
    if (object_is_text(object, field->names[i].text)) {
      *number = i;
      return 0;
    }
  return unexpected(reader, field->key.text, object);
}

static int read_struct(const struct result_reader *reader, const struct field *field,
                       const msgpack_object *object, void *inner)
{
  if (field->is_null && object->type == MSGPACK_OBJECT_NIL)
    return 0;
  return read_shape(reader, field->shape, object, inner);
}

static int read_element(const struct result_reader *reader, const struct field *field,
                        const msgpack_object *object, void *element)
{
  switch (field->type) {
  case FIELD_TEXTS: return read_text(reader, field->key.text, object, element);
  case FIELD_UINT32S: return read_uint32(reader, field->key.text, object, element);
  case FIELD_UINT64S: return read_uint64(reader, field->key.text, object, element);
  default: return read_shape(reader, field->shape, object, element);
  }
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

static int read_limits(const struct result_reader *reader, const struct field *field,
                       const msgpack_object *object, const struct named_limit **list,
                       uint32_t *count)
{
  const msgpack_object_map *entries = &object->via.map;
  if (object->type != MSGPACK_OBJECT_MAP)
    return unexpected(reader, field->key.text, object);
  struct named_limit *limit = msgpack_zone_malloc(reader->zone, entries->size * sizeof *limit);
  if (!limit)
    return -ENOMEM;
  *list = limit;
  *count = entries->size;
  for (uint32_t i = 0; i < entries->size; i++) {
    int error = read_text(reader, field->key.text, &entries->ptr[i].key, &limit[i].name);
    if (!error)
      error = read_uint64(reader, field->key.text, &entries->ptr[i].val, &limit[i].value);
    if (error)
      return error;
  }
  return 0;
}

static int read_value(const struct result_reader *reader, const struct field *field,
                      const msgpack_object *object, void *structure)
{
  void *at = (char *)structure + field->offset;
  void *other = (char *)structure + field->other;
  switch (field->type) {
  case FIELD_TEXT: return read_text(reader, field->key.text, object, at);
  case FIELD_ID: return read_id(reader, field->key.text, object, at);
  case FIELD_BOOLEAN: return read_bool(reader, field->key.text, object, at);
  case FIELD_SOLVING: return read_solving(reader, field->key.text, object);
  case FIELD_COLS:
  case FIELD_UINT32: return read_uint32(reader, field->key.text, object, at);
  case FIELD_UINT64: return read_uint64(reader, field->key.text, object, at);
  case FIELD_PLIES: return read_plies(reader, field->key.text, object, at);
  case FIELD_NODE: return read_node(reader, field->key.text, object, at, other);
  case FIELD_ENUM: return read_enum(reader, field, object, at);
  case FIELD_STRUCT: return read_struct(reader, field, object, at);
  case FIELD_LIMITS: return read_limits(reader, field, object, at, other);
  default: return read_list(reader, field, object, at, other);
  }
}

static const msgpack_object *find_value(const msgpack_object_map *map, const char *key)
{
  for (uint32_t i = 0; i < map->size; i++)
    if (object_is_text(&map->ptr[i].key, key))
      return &map->ptr[i].val;
  return NULL;
}

static int read_shape(const struct result_reader *reader, const struct shape *shape,
                      const msgpack_object *object, void *structure)
{
  if (object->type != MSGPACK_OBJECT_MAP)
    return unexpected(reader, "map", object);
  memset(structure, 0, shape->bytes);
  for (uint32_t i = 0; i < shape->count; i++) {
    const struct field *field = &shape->fields[i];
    const msgpack_object *value = find_value(&object->via.map, field->key.text);
    if (!value && field == shape->cols)
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
