/* The values of a map, told by their keys. Private to proto. */
#ifndef CATMOUSE_PROTO_MAP_READ_H
#define CATMOUSE_PROTO_MAP_READ_H

#include "proto/value.h"

struct entry {
  struct value value;     /* VALUE_NONE where the map has no such key */
  struct reader children; /* of the value, if it has any, where they begin */
};

struct map_keys {
  const char *place; /* what the map is called in a sentence */
  enum error error;  /* what it is where the map is wrong */
  bool all;          /* each key must be there */
  unsigned count;
  const char *const *names;
};

/*
 * Reads the map whose head is `map` into one entry for each of the keys, in their order. 0, or
 * -EBADMSG with `fault` where it is no map, or has a key that it may not have, has one twice, or
 * lacks one.
 */
int map_read(struct reader *reader, const struct value *map, const struct map_keys *keys,
             struct entry *entries, struct fault *fault);

/* Null says as much as a key that is not there. */
static inline bool entry_given(const struct entry *entry)
{
  return entry->value.kind != VALUE_NONE && entry->value.kind != VALUE_NIL;
}

#endif
