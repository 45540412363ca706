/* What of a puzzle lies under the cursor. */
#ifndef CATMOUSE_LSP_SPOTS_H
#define CATMOUSE_LSP_SPOTS_H

#include "lsp/document.h"

enum spot_kind {
  SPOT_HEAD, /* none of what follows: keys, jumps, what is between lists */
  SPOT_LIST, /* a node's list */
  SPOT_NODE, /* a number in a list */
  SPOT_CELL,
};

struct spot {
  enum spot_kind kind;
  uint32_t node;         /* that the list is of, that the number names, or cell */
  uint32_t item;         /* list or row; unless SPOT_HEAD */
  struct text_span span; /* in the whole text */
};

struct spot spot_at(const struct document *document, const struct shown *shown, uint32_t offset);

#endif
