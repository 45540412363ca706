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

void lens_answer(struct server *server, struct request_in *request);
void hover_answer(struct server *server, struct request_in *request);
void inlay_answer(struct server *server, struct request_in *request);
void actions_answer(struct server *server, struct request_in *request);
void completion_answer(struct server *server, struct request_in *request);
void symbols_answer(struct server *server, struct request_in *request);
void folds_answer(struct server *server, struct request_in *request);
void commands_answer(struct server *server, struct request_in *request);

#endif
