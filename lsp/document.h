/* A file that the editor has open: its text, kept up with edits, and the puzzles read from it. */
#ifndef CATMOUSE_LSP_DOCUMENT_H
#define CATMOUSE_LSP_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "lsp/lines.h"
#include "lsp/sections.h"

enum { DOCUMENT_BYTES_MAX = 1 << 30 };

/* A puzzle that the file shows, and where. */
struct shown {
  const struct text_puzzle *puzzle; /* its spans count from `at` */
  uint32_t at;                      /* of its section in the file */
  uint64_t hash;                    /* of its text: equal texts, equal puzzles */
};

struct document {
  char *uri; /* owned */
  enum file_kind kind;
  int64_t version;
  char *bytes; /* owned, as is all below */
  uint32_t length;
  struct lines lines;

  bool scanned; /* what follows is of the present text */
  struct sections sections;
  struct shown *shown;
  uint32_t shown_count;
};

/* The text is copied. 0 and the caller frees it with document_free(); -ENOMEM, -EFBIG. */
int document_new(const char *uri, enum file_kind kind, const char *bytes, size_t length,
                 struct document **document);
void document_free(struct document *document);

/* Puts `bytes` in the place of what lies from `begin` to `end`. 0, -ENOMEM or -EFBIG, and then nothing changed. */
int document_replace(struct document *document, uint32_t begin, uint32_t end, const char *bytes,
                     size_t length);

/* The text is of another kind: it is to be scanned again. */
void document_set_kind(struct document *document, enum file_kind kind);

/* Reads the puzzles where that is to be done. 0, or -ENOMEM and then there are none. O(length) */
int document_scan(struct document *document);

/* The puzzle that `offset` is in, or touches; or NULL. */
const struct shown *document_puzzle_at(const struct document *document, uint32_t offset);

/* The section that it is in. */
const struct section *document_section(const struct document *document, const struct shown *shown);

/* The whole text as its puzzles are read: where a block of Markdown is quoted, without the marks of that. */
static inline const char *document_plain(const struct document *document)
{
  return document->sections.plain ? document->sections.plain : document->bytes;
}

/* In the whole text, from a span of a puzzle. */
static inline struct text_span shown_span(const struct shown *shown, struct text_span span)
{
  return (struct text_span){shown->at + span.at, span.length};
}

static inline bool shown_is_sound(const struct shown *shown)
{
  return shown->puzzle->faults.count == 0;
}

#endif
