/* How a struct lies on the wire: one table of fields to pack, read and document it. Private. */
#ifndef CATMOUSE_PROTO_SHAPE_H
#define CATMOUSE_PROTO_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/pack.h"

enum field_type {
  FIELD_TEXT,    /* const char * */
  FIELD_ID,      /* char[ID_TEXT + 1] */
  FIELD_BOOLEAN, /* bool */
  FIELD_SOLVING, /* nothing; "solving" on the wire */
  FIELD_UINT32,
  FIELD_UINT64,
  FIELD_PLIES,  /* uint32_t, PLIES_NONE is null */
  FIELD_NODE,   /* uint32_t, null unless the bool at `other` is set */
  FIELD_COLS,   /* uint32_t; where it is 0 the map has no such key. The last field of its shape */
  FIELD_ENUM,   /* any enum, by its `names` */
  FIELD_STRUCT, /* of `shape`, null where is_null() says so */
  FIELD_PACKED, /* const char * to a map's MessagePack; a uint32_t at `other` counts its bytes */
  FIELD_TEXTS,  /* the lists are a pointer at `offset` and a uint32_t count at `other` */
  FIELD_UINT32S,
  FIELD_UINT64S,
  FIELD_STRUCTS,
  FIELD_LIMITS, /* struct named_limit; a map on the wire */
};

struct shape;

struct field {
  struct packed_text key;
  enum field_type type;
  size_t offset;
  size_t other;
  const struct packed_text *names; /* by value of the enum, ended by an empty one */
  const struct shape *shape;
  bool (*is_null)(const void *structure); /* NULL: never */
};

struct shape {
  size_t bytes; /* of the struct */
  const struct field *fields;
  uint32_t count;

  /* Packs the fields as entries of a map whose head is already packed. */
  void (*pack_entries)(struct buffer *out, const void *structure);
};

/* A list's element in memory, in bytes. */
size_t field_element_bytes(const struct field *field);

/* Appends the struct as a map. */
void shape_pack(struct buffer *out, const struct shape *shape, const void *structure);

/* The value of a field that may be of any length: texts, structs and lists. */
void field_pack_large(struct buffer *out, const struct field *field, const void *structure);

#endif
