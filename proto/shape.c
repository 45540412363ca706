/* Structs into MessagePack, field by field. What is short is packed in line (shape_define.h). */
#include "proto/shape.h"

#include "proto/result.h"

size_t field_element_bytes(const struct field *field)
{
  switch (field->type) {
  case FIELD_TEXTS: return sizeof(const char *);
  case FIELD_UINT32S: return sizeof(uint32_t);
  case FIELD_UINT64S: return sizeof(uint64_t);
  case FIELD_LIMITS: return sizeof(struct named_limit);
  default: return field->shape->bytes;
  }
}

void shape_pack(struct buffer *out, const struct shape *shape, const void *structure)
{
  const struct field *last = &shape->fields[shape->count - 1];
  const void *at = (const char *)structure + last->offset;
  bool lacks_cols = last->type == FIELD_COLS && *(const uint32_t *)at == 0;
  pack_map_head(out, shape->count - lacks_cols);
  shape->pack_entries(out, structure);
}

static void pack_limits(struct buffer *out, const struct named_limit *limits, uint32_t count)
{
  pack_map_head(out, count);
  for (uint32_t i = 0; i < count; i++) {
    pack_text(out, limits[i].name);
    pack_uint64(out, limits[i].value);
  }
}

static void pack_element(struct buffer *out, const struct field *field, const char *element)
{
  switch (field->type) {
  case FIELD_TEXTS: pack_text(out, *(const char *const *)(const void *)element); break;
  case FIELD_UINT32S: pack_uint64(out, *(const uint32_t *)(const void *)element); break;
  case FIELD_UINT64S: pack_uint64(out, *(const uint64_t *)(const void *)element); break;
  default: shape_pack(out, field->shape, element); break;
  }
}

static void pack_list(struct buffer *out, const struct field *field, const char *list,
                      uint32_t count)
{
  const size_t bytes = field_element_bytes(field);
  pack_list_head(out, count);
  for (uint32_t i = 0; i < count; i++)
    pack_element(out, field, list + i * bytes);
}

static void pack_struct(struct buffer *out, const struct field *field, const void *outer,
                        const void *inner)
{
  if (field->is_null && field->is_null(outer))
    pack_nil(out);
  else
    shape_pack(out, field->shape, inner);
}

void field_pack_large(struct buffer *out, const struct field *field, const void *structure)
{
  const void *at = (const char *)structure + field->offset;
  const void *other = (const char *)structure + field->other;
  switch (field->type) {
  case FIELD_TEXT: pack_text(out, *(const char *const *)at); break;
  case FIELD_SOLVING: pack_text(out, "solving"); break;
  case FIELD_STRUCT: pack_struct(out, field, structure, at); break;
  case FIELD_PACKED: buffer_append(out, *(const char *const *)at, *(const uint32_t *)other); break;
  case FIELD_LIMITS:
    pack_limits(out, *(const struct named_limit *const *)at, *(const uint32_t *)other);
    break;
  default: pack_list(out, field, *(const char *const *)at, *(const uint32_t *)other);
  }
}
