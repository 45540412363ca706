/*
 * Blocks of Markdown that are fenced as `catmouse`, as CommonMark has them: at the margin, in block quotes and in list
 * items. Indented code is passed over, and so is what other fences hold.
 */
#ifndef CATMOUSE_LSP_FENCES_H
#define CATMOUSE_LSP_FENCES_H

#include <stdbool.h>

#include "lsp/lines.h"

/* How far a text has been read. All zeroes at first. */
struct fences {
  uint32_t line;
  uint32_t quotes; /* that this line is in */
  uint32_t item;   /* the column at which the text of a list item began, or 0 */
};

struct fenced {
  uint32_t first, end; /* lines between the fences: from `first` on, before `end` */
  uint32_t quotes;     /* that they are in */
  uint32_t item;       /* the column of the list item that they are in, or 0 */
};

/* The next block that has a line. False where there is none. */
bool fences_next(struct fences *fences, const struct lines *lines, struct fenced *block);

/* Blanks the marks of the block's quotes in `plain`, a copy of the text. */
void fenced_blank(const struct lines *lines, const struct fenced *block, char *plain);

#endif
