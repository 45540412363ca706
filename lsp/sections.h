/* Which parts of a file are puzzle text: all of it, its puzzles among other JSON, or fenced blocks. */
#ifndef CATMOUSE_LSP_SECTIONS_H
#define CATMOUSE_LSP_SECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lsp/lines.h"
#include "text/text.h"

enum file_kind {
  FILE_PUZZLES,  /* *.catmouse, *.catmouse.json, the language catmouse: all of it is puzzle text */
  FILE_JSON,     /* what may be a puzzle or anything else: objects with a list "graph" or "grid" */
  FILE_MARKDOWN, /* blocks fenced as catmouse */
  FILE_OTHER,
};

enum file_kind file_kind_of(const char *uri, const char *language);

/* A run of puzzle text, and what was read there. */
struct section {
  uint32_t at;
  uint32_t length;
  struct text *text; /* spans count from `at`; owned */
  bool has_margin;   /* its lines are in a quote or a list item, so none can be added as it is */
};

struct sections {
  struct section *section; /* in their order; owned */
  uint32_t count;
  char *
      plain; /* the whole text, with blanks for the marks of quotes that sections are in; owned, NULL without any */
};

/* 0, and the caller ends it with sections_deinit(); or -ENOMEM. */
int sections_read(enum file_kind kind, const struct lines *lines, struct sections *sections);
void sections_deinit(struct sections *sections);

/* Is this one of the puzzles that a file of that kind is about? */
bool section_shows(enum file_kind kind, const struct text_puzzle *puzzle, const char *bytes);

#endif
