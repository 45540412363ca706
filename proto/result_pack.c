/* Results into MessagePack, field by field. */
#include "proto/pack.h"
#include "proto/result.h"
#include "proto/shape.h"

void shape_pack(struct buffer *out, const struct shape *shape, const void *structure)
{
  pack_map_head(out, shape->count);
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
  case FIELD_LIMITS:
    pack_limits(out, *(const struct named_limit *const *)at, *(const uint32_t *)other);
    break;
  default: pack_list(out, field, *(const char *const *)at, *(const uint32_t *)other);
  }
}

/* Of what a method answers about a grid; 0 for a graph, and where no answer has them. */
static uint32_t cols_of(enum method method, const void *result)
{
  switch (method) {
  case METHOD_QUERY: return ((const struct result_query *)result)->cols;
  case METHOD_LINE: return ((const struct result_line *)result)->cols;
  case METHOD_STATS: return ((const struct result_stats *)result)->cols;
  case METHOD_VERIFY: return ((const struct result_verify *)result)->cols;
  default: return 0;
  }
}

static const struct shape *shape_for(enum method method, const void *result)
{
  return cols_of(method, result) ? result_shape(method) : result_shape_of_graph(method);
}

void result_pack(struct buffer *out, enum method method, const void *result)
{
  if (method == METHOD_PING)
    pack_text(out, "pong");
  else
    shape_pack(out, shape_for(method, result), result);
}
