/* How the structs of result.h lie on the wire: the tables that pack, read and document them. Private to proto. */
#ifndef CATMOUSE_PROTO_SHAPE_H
#define CATMOUSE_PROTO_SHAPE_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"
#include "proto/pack.h"
#include "proto/schema.h"

enum field_type {
  FIELD_TEXT,    /* const char * */
  FIELD_ID,      /* char[ID_TEXT + 1] */
  FIELD_BOOLEAN, /* bool */
  FIELD_SOLVING, /* nothing; "solving" on the wire */
  FIELD_UINT32,
  FIELD_UINT64,
  FIELD_PLIES,  /* uint32_t, PLIES_NONE is null */
  FIELD_NODE,   /* uint32_t, null unless the bool at `other` is set */
  FIELD_ENUM,   /* any enum, by its `names` */
  FIELD_STRUCT, /* of `shape`, null where is_null() says so */
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

/* What `method` answers; NULL for ping, whose answer is the text "pong". */
const struct shape *result_shape(enum method method);

/* The same but for `cols`, which query and line leave out where the puzzle is a graph. */
const struct shape *result_shape_of_graph(enum method method);

extern const struct shape
    shape_solving; /* result_solving: what is answered instead where `wait_ms` ran out */
extern const struct shape shape_progress;

/* A list's element in memory, in bytes. */
size_t field_element_bytes(const struct field *field);

void result_pack(struct buffer *out, enum method method, const void *result);
void shape_pack(struct buffer *out, const struct shape *shape, const void *structure);

/* The value of a field that may be of any length: texts, structs and lists. */
void field_pack_large(struct buffer *out, const struct field *field, const void *structure);

/*
 * Reads a map into `structure`; its texts and lists are allocated in `zone`. Keys it does not know are
 * left alone. 0, -ENOMEM or -EBADMSG with `fault`.
 */
int shape_read(const struct shape *shape, const msgpack_object *object, msgpack_zone *zone,
               void *structure, struct fault *fault);

#endif
