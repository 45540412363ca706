/* Results into MessagePack, field by field. */
#include "proto/pack.h"
#include "proto/result.h"
#include "proto/shape.h"

static void pack_shape(msgpack_packer *packer, const struct shape *shape, const void *structure)
{
  msgpack_pack_map(packer, shape->count);
  shape_pack_entries(packer, shape, structure);
}

static void pack_limits(msgpack_packer *packer, const struct named_limit *limits, uint32_t count)
{
  msgpack_pack_map(packer, count);
  for (uint32_t i = 0; i < count; i++) {
    pack_text(packer, limits[i].name);
    msgpack_pack_uint64(packer, limits[i].value);
  }
}

static void pack_element(msgpack_packer *packer, const struct field *field, const char *element)
{
  switch (field->type) {
  case FIELD_TEXTS: pack_text(packer, *(const char *const *)(const void *)element); break;
  case FIELD_UINT32S: msgpack_pack_uint32(packer, *(const uint32_t *)(const void *)element); break;
  case FIELD_UINT64S: msgpack_pack_uint64(packer, *(const uint64_t *)(const void *)element); break;
  default: pack_shape(packer, field->shape, element); break;
  }
}

static void pack_list(msgpack_packer *packer, const struct field *field, const char *list,
                      uint32_t count)
{
  const size_t bytes = field_element_bytes(field);
  msgpack_pack_array(packer, count);
  for (uint32_t i = 0; i < count; i++)
    pack_element(packer, field, list + i * bytes);
}

static void pack_number_or_nil(msgpack_packer *packer, bool there, uint32_t number)
{
  if (there)
    msgpack_pack_uint32(packer, number);
  else
    msgpack_pack_nil(packer);
}

static void pack_struct(msgpack_packer *packer, const struct field *field, const void *outer,
                        const void *inner)
{
  if (field->is_null && field->is_null(outer))
    msgpack_pack_nil(packer);
  else
    pack_shape(packer, field->shape, inner);
}

static void pack_value(msgpack_packer *packer, const struct field *field, const void *structure)
{
  const void *at = (const char *)structure + field->offset;
  const void *other = (const char *)structure + field->other;
  switch (field->type) {
  case FIELD_TEXT: pack_text(packer, *(const char *const *)at); break;
  case FIELD_ID: pack_text(packer, at); break;
  case FIELD_BOOLEAN: pack_bool(packer, *(const bool *)at); break;
  case FIELD_SOLVING: pack_text(packer, "solving"); break;
  case FIELD_UINT32: msgpack_pack_uint32(packer, *(const uint32_t *)at); break;
  case FIELD_UINT64: msgpack_pack_uint64(packer, *(const uint64_t *)at); break;
  case FIELD_ENUM: pack_text(packer, field->names[*(const uint32_t *)at]); break;
  case FIELD_STRUCT: pack_struct(packer, field, structure, at); break;
  case FIELD_PLIES:
    pack_number_or_nil(packer, *(const uint32_t *)at != PLIES_NONE, *(const uint32_t *)at);
    break;
  case FIELD_NODE: pack_number_or_nil(packer, *(const bool *)other, *(const uint32_t *)at); break;
  case FIELD_LIMITS:
    pack_limits(packer, *(const struct named_limit *const *)at, *(const uint32_t *)other);
    break;
  default: pack_list(packer, field, *(const char *const *)at, *(const uint32_t *)other);
  }
}

void shape_pack_entries(msgpack_packer *packer, const struct shape *shape, const void *structure)
{
  for (uint32_t i = 0; i < shape->count; i++) {
    pack_text(packer, shape->fields[i].key);
    pack_value(packer, &shape->fields[i], structure);
  }
}

void result_pack(msgpack_packer *packer, enum method method, const void *result)
{
  if (method == METHOD_PING)
    pack_text(packer, "pong");
  else if (method == METHOD_SOLVE && ((const struct result_solve *)result)->solving)
    pack_shape(packer, &shape_solving, result);
  else
    pack_shape(packer, result_shape(method), result);
}
