/*
 * Changes to a graph's lists: numbers dropped, nodes added, and the fewest edits of the text that come to that, with
 * its formatting kept.
 */
#ifndef CATMOUSE_LSP_REPAIR_H
#define CATMOUSE_LSP_REPAIR_H

#include <jansson.h>

#include "lsp/document.h"

struct added {
  uint32_t list;
  int32_t node;
};

struct repair {
  const struct text_puzzle *puzzle;
  bool *dropped;       /* by number; owned */
  struct added *added; /* owned */
  uint32_t added_count;
  uint32_t added_room;
};

/* For a puzzle whose game is a graph. 0 or -ENOMEM. Ends with repair_deinit(). */
int repair_init(struct repair *repair, const struct text_puzzle *puzzle);
void repair_deinit(struct repair *repair);

void repair_drop(struct repair *repair, uint32_t number);

/* 0 or -ENOMEM. */
int repair_add(struct repair *repair, uint32_t list, int32_t node);

/* Drops what is out of range, a loop or double, and adds what is missing. 0 or -ENOMEM. O(edges log edges) */
int repair_all(struct repair *repair);

/* Appends TextEdits. */
void repair_edits(const struct repair *repair, const struct document *document,
                  enum position_encoding encoding, uint32_t at, json_t *edits);

/* One TextEdit. */
json_t *edit_json(const struct document *document, enum position_encoding encoding,
                  struct text_span span, const char *text);

#endif
