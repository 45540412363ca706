#include "lsp/send.h"

#include <stdio.h>

static void send_message(struct server *server, json_t *message)
{
  if (message)
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
  transport_send(&server->transport, message);
}

void send_notification(struct server *server, const char *method, json_t *params)
{
  send_message(server, json_pack("{ss, so}", "method", method, "params", params));
}

void send_request(struct server *server, const char *id_kind, uint32_t number, const char *method,
                  json_t *params)
{
  char id[64];
  snprintf(id, sizeof id, "%s-%u", id_kind, (unsigned)number);
  json_t *message = json_pack("{ss, ss}", "id", id, "method", method);
  if (message && params)
    json_object_set_new(message, "params", params);
  send_message(server, message);
}

void send_result(struct server *server, json_t *id, json_t *result)
{
  send_message(server, json_pack("{sO, so}", "id", id, "result", result));
}

void send_error(struct server *server, json_t *id, enum lsp_error code, const char *sentence)
{
  send_message(server, json_pack("{sO, s{si, ss}}", "id", id ? id : json_null(), "error", "code",
                                 (int)code, "message", sentence));
}
