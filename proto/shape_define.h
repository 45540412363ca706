/*
 * How shapes are written down: a table of fields in the order they are written, each with its key,
 * type and place, and SHAPE(), which makes of it the shape and the code that packs it. With fields
 * known to the compiler it unrolls the loop and folds each field's type, so that one table makes
 * both the code and its description. Private to proto.
 */
#ifndef CATMOUSE_PROTO_SHAPE_DEFINE_H
#define CATMOUSE_PROTO_SHAPE_DEFINE_H

#include "proto/shape.h"
#include "solver/answer.h"

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
  case FIELD_COLS:
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
    if (fields[i].type == FIELD_COLS &&
        *(const uint32_t *)((const char *)structure + fields[i].offset) == 0)
      continue;
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

/* clang-format off */
#define KEY(name) .key = PACKED_TEXT(name)
#define FIELD(type_, structure, member) \
  {KEY(#member), .type = (type_), .offset = offsetof(struct structure, member)}
#define NAMED(structure, member, names_) \
  {KEY(#member), .type = FIELD_ENUM, .offset = offsetof(struct structure, member), .names = (names_)}
#define INNER(structure, member, shape_, is_null_) \
  {KEY(#member), .type = FIELD_STRUCT, .offset = offsetof(struct structure, member), \
   .shape = &(shape_), .is_null = (is_null_)}
#define LIST(type_, structure, member, shape_) \
  {KEY(#member), .type = (type_), .offset = offsetof(struct structure, member), \
   .other = offsetof(struct structure, member##_count), .shape = (shape_)}
#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof(list)[0]))
#define SHAPE(name, structure) \
  static void name##_pack(struct buffer *out, const void *at) \
  { \
    pack_fields(out, structure##_fields, COUNT(structure##_fields), at); \
  } \
  const struct shape name = {sizeof(struct structure), structure##_fields, COUNT(structure##_fields), \
                             name##_pack}
/* clang-format on */

#endif
