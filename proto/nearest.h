/* The name that a mistyped word may have meant. */
#ifndef CATMOUSE_PROTO_NEAREST_H
#define CATMOUSE_PROTO_NEAREST_H

#include <stddef.h>

struct nearest {
  const char *word; /* borrowed, `length` bytes */
  size_t length;
  size_t distance;  /* of `name` */
  const char *name; /* the nearest so far; NULL where none is near enough to be meant */
};

/* Before the first nearest_try(). */
void nearest_init(struct nearest *nearest, const char *word, size_t length);

/* Keeps `name` where it is nearer than those tried before; borrowed. */
void nearest_try(struct nearest *nearest, const char *name);

#endif
