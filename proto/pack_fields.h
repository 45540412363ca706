/*
 * A struct's fields as entries of a map, written in line: with fields known to the compiler it unrolls the
 * loop and folds each field's type, so that one table makes both the code for a shape and its description.
 * Private to proto.
 */
#ifndef CATMOUSE_PROTO_PACK_FIELDS_H
#define CATMOUSE_PROTO_PACK_FIELDS_H

#include "proto/result.h"
#include "proto/shape.h"

#define IN_LINE static inline __attribute__((always_inline))

IN_LINE char *put_number_or_nil(char *at, bool there, uint32_t number)
{
  return there ? put_uint64(at, number) : put_nil(at);
}

/* Numbers, words, truths and ids, which most of an answer is made of. NULL for anything else. */
IN_LINE char *put_small_value(char *at, const struct field *field, const char *structure)
{
  const void *value = structure + field->offset;
  const void *other = structure + field->other;
  switch (field->type) {
  case FIELD_ID: return put_id(at, value);
  case FIELD_BOOLEAN: return put_bool(at, *(const bool *)value);
  case FIELD_UINT32: return put_uint64(at, *(const uint32_t *)value);
  case FIELD_UINT64: return put_uint64(at, *(const uint64_t *)value);
  case FIELD_ENUM: return put_packed_text(at, &field->names[*(const uint32_t *)value]);
  case FIELD_NODE: return put_number_or_nil(at, *(const bool *)other, *(const uint32_t *)value);
  case FIELD_PLIES:
    return put_number_or_nil(at, *(const uint32_t *)value != PLIES_NONE, *(const uint32_t *)value);
  default: return NULL;
  }
}

/* Room for so many small entries, so that each needs not ask for its own. */
IN_LINE char *reserve_entries(struct buffer *out, uint32_t count)
{
  return buffer_reserve(out, count * 2 * PUT_MAX);
}

/* The head of the map is already packed. */
IN_LINE void pack_fields(struct buffer *out, const struct field *fields, uint32_t count,
                         const void *structure)
{
  char *at = reserve_entries(out, count);
#pragma GCC unroll 16
  for (uint32_t i = 0; i < count; i++) {
    if (!at)
      return;
    char *key_end = put_packed_text(at, &fields[i].key);
    at = put_small_value(key_end, &fields[i], structure);
    if (!at) {
      out->length = (size_t)(key_end - out->data);
      field_pack_large(out, &fields[i], structure);
      at = reserve_entries(out, count - 1 - i);
    }
  }
  if (at)
    out->length = (size_t)(at - out->data);
}

#endif
