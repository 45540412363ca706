/*
 * How shapes are written down: a table of fields in the order they are written, each with its key, type and place,
 * and SHAPE(), which makes of it the shape and the code that packs it. Private to proto.
 */
#ifndef CATMOUSE_PROTO_SHAPE_DEFINE_H
#define CATMOUSE_PROTO_SHAPE_DEFINE_H

#include "proto/pack_fields.h"
#include "proto/shape.h"

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
#define DEFINE_SHAPE(name, structure, fields, count) \
  static void name##_pack(struct buffer *out, const void *at) \
  { \
    pack_fields(out, fields, count, at); \
  } \
  const struct shape name = {sizeof(struct structure), fields, count, name##_pack}
#define SHAPE(name, structure) \
  DEFINE_SHAPE(name, structure, structure##_fields, COUNT(structure##_fields))
#define SHAPE_WITHOUT_LAST(name, structure) \
  DEFINE_SHAPE(name, structure, structure##_fields, COUNT(structure##_fields) - 1)
/* clang-format on */

#endif
