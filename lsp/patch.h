/* Faults that a single edit mends, other than those of a graph's edges (repair.h). */
#ifndef CATMOUSE_LSP_PATCH_H
#define CATMOUSE_LSP_PATCH_H

#include "lsp/document.h"

enum { PATCH_MAX = 128 };

struct patch {
  enum text_code code; /* of the fault */
  char title[PATCH_MAX];
  struct text_span span; /* in the whole text */
  char text[PATCH_MAX];  /* in its place */
};

/* `shown->puzzle` is NULL for a fault that is in no puzzle. False where there is no such edit. */
bool patch_find(const struct document *document, const struct shown *shown,
                const struct text_fault *fault, struct patch *patch);

#endif
