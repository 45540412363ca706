/* Who answers which method; methods.c has the table. */
#ifndef CATMOUSE_LSP_METHODS_H
#define CATMOUSE_LSP_METHODS_H

#include "lsp/requests.h"

void lifecycle_initialize(struct server *server, struct request_in *request);
void lifecycle_shutdown(struct server *server, struct request_in *request);
void lifecycle_exit(struct server *server, const json_t *params);

void sync_open(struct server *server, const json_t *params);
void sync_change(struct server *server, const json_t *params);
void sync_close(struct server *server, const json_t *params);

#endif
