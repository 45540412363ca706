/* Memory that is taken piece by piece and given back all at once. Private to proto. */
#ifndef CATMOUSE_PROTO_BLOCKS_H
#define CATMOUSE_PROTO_BLOCKS_H

#include <stddef.h>

struct block; /* opaque */

/* All zeroes holds nothing. */
struct blocks {
  struct block *last;
};

/* Room for anything of so many bytes, or NULL. */
void *blocks_take(struct blocks *blocks, size_t bytes);
void blocks_deinit(struct blocks *blocks);

#endif
