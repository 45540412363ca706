#include "lsp/methods.h"

#include <string.h>

#include "lsp/progress.h"

static void cancel_request(struct server *server, const json_t *params)
{
  requests_cancel(server, json_object_get(params, "id"));
}

static void cancel_progress(struct server *server, const json_t *params)
{
  const char *token = json_string_value(json_object_get(params, "token"));
  if (token)
    progress_cancel(server, token);
}

static const struct method_row rows[] = {
    {"initialize", lifecycle_initialize, NULL},
    {"shutdown", lifecycle_shutdown, NULL},
    {"exit", NULL, lifecycle_exit},
    {"$/cancelRequest", NULL, cancel_request},
    {"window/workDoneProgress/cancel", NULL, cancel_progress},
    {"textDocument/didOpen", NULL, sync_open},
    {"textDocument/didChange", NULL, sync_change},
    {"textDocument/didClose", NULL, sync_close},
    {"textDocument/codeLens", lens_answer, NULL},
    {"textDocument/hover", hover_answer, NULL},
    {"textDocument/inlayHint", inlay_answer, NULL},
    {"textDocument/codeAction", actions_answer, NULL},
    {"textDocument/completion", completion_answer, NULL},
    {"textDocument/documentSymbol", symbols_answer, NULL},
    {"textDocument/foldingRange", folds_answer, NULL},
    {"workspace/executeCommand", commands_answer, NULL},
};

const struct method_row *method_find(const char *name)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  return NULL;
}
