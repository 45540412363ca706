/* What requests have in common that are about a file: finding it, and places in it. */
#ifndef CATMOUSE_LSP_ASKING_H
#define CATMOUSE_LSP_ASKING_H

#include "lsp/requests.h"

/* The file of `params.textDocument.uri`. NULL where it is not open: the request has been answered with null. */
struct open_file *asked_file(struct server *server, struct request_in *request);

/* The place of `params.position` too. False where the request has been answered. */
bool asked_place(struct server *server, struct request_in *request, struct open_file **file,
                 uint32_t *offset);

/* And `params.range`. */
bool asked_range(struct server *server, struct request_in *request, struct open_file **file,
                 struct text_span *range);

#endif
