/* Code actions being gathered: what each file of them adds. */
#ifndef CATMOUSE_LSP_ACTIONS_H
#define CATMOUSE_LSP_ACTIONS_H

#include "lsp/server.h"

struct actions {
  const struct server *server;
  const struct document *document;
  const json_t *only; /* kinds that are wanted, or NULL */
  json_t *list;
  uint32_t tried; /* patches, each of which had the text read again */
};

bool actions_want(const struct actions *actions, const char *kind);

/* `edits` is taken; an action without any is none. `fault` (may be NULL) is of text that begins at `at`. */
void actions_add(struct actions *actions, const char *title, const char *kind, json_t *edits,
                 uint32_t at, const struct text_fault *fault, bool preferred);

/* fixes.c: the repairs of one fault, and of all. `shown->puzzle` is NULL for a fault that is in no puzzle. */
void fixes_of_fault(struct actions *actions, const struct shown *shown,
                    const struct text_fault *fault);
void fixes_of_all(struct actions *actions);

/* rewrites.c: the puzzle in another form, its lists sorted. */
void rewrites_of(struct actions *actions, const struct shown *shown);

#endif
