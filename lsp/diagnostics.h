/* All faults of a file's puzzles, pushed to the editor with the version of the text that they are of. */
#ifndef CATMOUSE_LSP_DIAGNOSTICS_H
#define CATMOUSE_LSP_DIAGNOSTICS_H

#include "lsp/server.h"

void diagnostics_send(struct server *server, const struct open_file *file);

/* The file is closed: none are left. */
void diagnostics_clear(struct server *server, const struct document *document);

/* One fault of text that begins at `at`, as code actions too refer to it. */
json_t *diagnostic_json(const struct server *server, const struct document *document, uint32_t at,
                        const struct text_fault *fault);

#endif
