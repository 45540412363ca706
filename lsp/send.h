/* What the server says to the editor, as JSON-RPC. */
#ifndef CATMOUSE_LSP_SEND_H
#define CATMOUSE_LSP_SEND_H

#include "lsp/server.h"

enum lsp_error {
  LSP_PARSE = -32700,
  LSP_INVALID_REQUEST = -32600,
  LSP_METHOD_NOT_FOUND = -32601,
  LSP_INVALID_PARAMS = -32602,
  LSP_INTERNAL = -32603,
  LSP_NOT_INITIALIZED = -32002,
  LSP_FAILED = -32803,
  LSP_CANCELLED = -32800,
};

/* The answer to a request. `id` is borrowed, `result` is taken. */
void send_result(struct server *server, json_t *id, json_t *result);

/* `id` is borrowed, and NULL where no request could be read. */
void send_error(struct server *server, json_t *id, enum lsp_error code, const char *sentence);

/* A notification, or a request whose answer matters to nobody but lsp/progress.c. `params` is taken. */
void send_notification(struct server *server, const char *method, json_t *params);
void send_request(struct server *server, const char *id_kind, uint32_t number, const char *method,
                  json_t *params);

#endif
