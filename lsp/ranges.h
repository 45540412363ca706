/* Places in a file as JSON: positions and ranges, in the editor's encoding. */
#ifndef CATMOUSE_LSP_RANGES_H
#define CATMOUSE_LSP_RANGES_H

#include <jansson.h>

#include "lsp/document.h"

/* What NULL comes to, here and in all that makes JSON: json_pack() passes it on, and a reply says "out of memory". */
json_t *position_json(const struct document *document, enum position_encoding encoding,
                      uint32_t offset);
json_t *range_json(const struct document *document, enum position_encoding encoding,
                   struct text_span span);

/* False where it is no position, or no range. */
bool position_read(const struct document *document, enum position_encoding encoding,
                   const json_t *position, uint32_t *offset);
bool range_read(const struct document *document, enum position_encoding encoding,
                const json_t *range, struct text_span *span);

/* Do they share a byte, or touch? */
static inline bool spans_meet(struct text_span a, struct text_span b)
{
  return a.at <= b.at + b.length && b.at <= a.at + a.length;
}

#endif
