/* Results out of MessagePack, field by field: what result_pack.c wrote, or a fault naming the field. */
#include <errno.h>
#include <string.h>

#include "proto/result.h"
#include "proto/shape.h"

struct result_reader {
  struct reader *in;
  struct blocks *blocks;
  struct fault *fault;
};

static int read_entries(const struct result_reader *reader, const char *key,
                        const struct shape *shape, const struct wire_value *map, void *structure);

static int unexpected(const struct result_reader *reader, const char *key,
                      const struct wire_value *value)
{
  return fault_set(reader->fault, ERROR_INTERNAL, "the answer's %s is %s", key,
                   value_describe(value).text);
}

static int take_text(const struct result_reader *reader, const char *key,
                     const struct wire_value *value, const char **text)
{
  if (value->item.kind != ITEM_TEXT)
    return unexpected(reader, key, value);
  char *copy = blocks_take(reader->blocks, value->item.payload_bytes + 1);
  if (!copy)
    return -ENOMEM;
  value_copy_text(value, value->item.payload_bytes, copy);
  *text = copy;
  return 0;
}

static int take_id(const struct result_reader *reader, const char *key,
                   const struct wire_value *value, char *id)
{
  if (value->item.kind != ITEM_TEXT || value->item.payload_bytes > ID_TEXT)
    return unexpected(reader, key, value);
  value_copy_text(value, ID_TEXT, id);
  return 0;
}

static int take_bool(const struct result_reader *reader, const char *key,
                     const struct wire_value *value, bool *truth)
{
  if (value->item.kind != ITEM_BOOLEAN)
    return unexpected(reader, key, value);
  *truth = value->item.number;
  return 0;
}

static int take_solving(const struct result_reader *reader, const char *key,
                        const struct wire_value *value, bool *solving)
{
  *solving = value_is_text(value, "solving");
  return *solving ? 0 : unexpected(reader, key, value);
}

static int take_uint32(const struct result_reader *reader, const char *key,
                       const struct wire_value *value, uint32_t *number)
{
  return value_uint32(value, number) ? 0 : unexpected(reader, key, value);
}

static int take_uint64(const struct result_reader *reader, const char *key,
                       const struct wire_value *value, uint64_t *number)
{
  if (value->item.kind != ITEM_UNSIGNED)
    return unexpected(reader, key, value);
  *number = value->item.number;
  return 0;
}

static int take_node(const struct result_reader *reader, const char *key,
                     const struct wire_value *value, uint32_t *node, bool *there)
{
  *there = value->item.kind != ITEM_NIL;
  return *there ? take_uint32(reader, key, value, node) : 0;
}

static int take_plies(const struct result_reader *reader, const char *key,
                      const struct wire_value *value, uint32_t *plies)
{
  *plies = PLIES_NONE;
  return value->item.kind == ITEM_NIL ? 0 : take_uint32(reader, key, value, plies);
}

static int take_enum(const struct result_reader *reader, const struct field *field,
                     const struct wire_value *value, uint32_t *number)
{
  for (uint32_t i = 0; field->names[i].head; i++)
    if (value_is_text(value, field->names[i].text)) {
      *number = i;
      return 0;
    }
  return unexpected(reader, field->key.text, value);
}

static int take_struct(const struct result_reader *reader, const struct field *field,
                       const struct wire_value *value, void *inner)
{
  if (field->is_null && value->item.kind == ITEM_NIL)
    return 0;
  return read_entries(reader, field->key.text, field->shape, value, inner);
}

static int read_element(const struct result_reader *reader, const struct field *field,
                        void *element)
{
  struct wire_value value = reader_next(reader->in);
  switch (field->type) {
  case FIELD_TEXTS: return take_text(reader, field->key.text, &value, element);
  case FIELD_UINT32S: return take_uint32(reader, field->key.text, &value, element);
  case FIELD_UINT64S: return take_uint64(reader, field->key.text, &value, element);
  default: return read_entries(reader, field->key.text, field->shape, &value, element);
  }
}

static int read_list(const struct result_reader *reader, const struct field *field,
                     const struct wire_value *value, void **list, uint32_t *count)
{
  const size_t bytes = field_element_bytes(field);
  if (!value_is_list(value))
    return unexpected(reader, field->key.text, value);
  char *element = blocks_take(reader->blocks, value->item.children * bytes);
  if (!element)
    return -ENOMEM;
  *list = element;
  *count = (uint32_t)value->item.children;
  for (uint32_t i = 0; i < *count; i++) {
    int error = read_element(reader, field, element + i * bytes);
    if (error)
      return error;
  }
  return 0;
}

static int read_limits(const struct result_reader *reader, const struct field *field,
                       const struct wire_value *map, const struct named_limit **list,
                       uint32_t *count)
{
  if (!value_is_map(map))
    return unexpected(reader, field->key.text, map);
  uint32_t entries = (uint32_t)(map->item.children / 2);
  struct named_limit *limit = blocks_take(reader->blocks, entries * sizeof *limit);
  if (!limit)
    return -ENOMEM;
  *list = limit;
  *count = entries;
  for (uint32_t i = 0; i < entries; i++) {
    struct wire_value name = reader_next(reader->in);
    int error = take_text(reader, field->key.text, &name, &limit[i].name);
    if (error)
      return error;
    struct wire_value number = reader_next(reader->in);
    error = take_uint64(reader, field->key.text, &number, &limit[i].value);
    if (error)
      return error;
  }
  return 0;
}

static int read_field(const struct result_reader *reader, const struct field *field,
                      void *structure)
{
  const char *key = field->key.text;
  void *at = (char *)structure + field->offset;
  void *other = (char *)structure + field->other;
  struct wire_value value = reader_next(reader->in);
  switch (field->type) {
  case FIELD_TEXT: return take_text(reader, key, &value, at);
  case FIELD_ID: return take_id(reader, key, &value, at);
  case FIELD_BOOLEAN: return take_bool(reader, key, &value, at);
  case FIELD_SOLVING: return take_solving(reader, key, &value, at);
  case FIELD_UINT32: return take_uint32(reader, key, &value, at);
  case FIELD_UINT64: return take_uint64(reader, key, &value, at);
  case FIELD_PLIES: return take_plies(reader, key, &value, at);
  case FIELD_NODE: return take_node(reader, key, &value, at, other);
  case FIELD_ENUM: return take_enum(reader, field, &value, at);
  case FIELD_STRUCT: return take_struct(reader, field, &value, at);
  case FIELD_LIMITS: return read_limits(reader, field, &value, at, other);
  default: return read_list(reader, field, &value, at, other);
  }
}

static uint32_t find_field(const struct shape *shape, const struct wire_value *name)
{
  uint32_t i = 0;
  while (i < shape->count && !value_is_text(name, shape->fields[i].key.text))
    i++;
  return i;
}

/* One entry; of a key that comes twice, and of an unknown one, the value is passed over. */
static int read_entry(const struct result_reader *reader, const struct shape *shape, uint32_t *seen,
                      void *structure)
{
  struct wire_value name = reader_next(reader->in);
  uint32_t i = find_field(shape, &name);
  reader_skip(reader->in, &name);
  if (i < shape->count && !(*seen >> i & 1)) {
    *seen |= 1u << i;
    return read_field(reader, &shape->fields[i], structure);
  }
  struct wire_value other = reader_next(reader->in);
  reader_skip(reader->in, &other);
  return 0;
}

static int read_entries(const struct result_reader *reader, const char *key,
                        const struct shape *shape, const struct wire_value *map, void *structure)
{
  uint32_t seen = 0;
  if (!value_is_map(map))
    return unexpected(reader, key, map);
  memset(structure, 0, shape->bytes);
  for (uint64_t left = map->item.children; left > 0; left -= 2) {
    int error = read_entry(reader, shape, &seen, structure);
    if (error)
      return error;
  }
  for (uint32_t i = 0; i < shape->count; i++)
    if (!(seen >> i & 1))
      return fault_set(reader->fault, ERROR_INTERNAL, "the answer has no %s",
                       shape->fields[i].key.text);
  return 0;
}

int shape_read(const struct shape *shape, struct reader *in, struct blocks *blocks, void *structure,
               struct fault *fault)
{
  struct result_reader reader = {in, blocks, fault};
  struct wire_value map = reader_next(in);
  return read_entries(&reader, "result", shape, &map, structure);
}
