/* initialize, shutdown, exit; the editor's process, whose end is ours. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lsp/commands.h"
#include "lsp/methods.h"
#include "lsp/system.h"

/* The value at a path of keys, ended by NULL. */
static const json_t *at_path(const json_t *json, const char *const *key)
{
  for (; *key && json; key++)
    json = json_object_get(json, *key);
  return json;
}

#define AT(json, ...) at_path(json, (const char *const[]){__VA_ARGS__, NULL})

static bool offers(const json_t *encodings, const char *wanted)
{
  size_t i;
  json_t *encoding;
  json_array_foreach(encodings, i, encoding)
  {
    if (json_is_string(encoding) && strcmp(json_string_value(encoding), wanted) == 0)
      return true;
  }
  return false;
}

static enum position_encoding choose_encoding(const json_t *encodings)
{
  if (offers(encodings, "utf-8"))
    return POSITION_UTF8;
  return offers(encodings, "utf-32") ? POSITION_UTF32 : POSITION_UTF16;
}

/* Neovim shows code lenses without saying that it can. */
static bool shows_lenses(const json_t *params)
{
  const char *name = json_string_value(AT(params, "clientInfo", "name"));
  return AT(params, "capabilities", "textDocument", "codeLens") ||
         AT(params, "capabilities", "textDocument", "inlayHint") ||
         (name && strcmp(name, "Neovim") == 0);
}

static void read_editor(const json_t *params, struct editor *editor)
{
  const json_t *can = json_object_get(params, "capabilities"), *text = AT(can, "textDocument");
  const json_t *wish = AT(params, "initializationOptions", "verdictDiagnostics");
  const json_t *formats = AT(text, "hover", "contentFormat");
  *editor = (struct editor){
      .encoding = choose_encoding(AT(can, "general", "positionEncodings")),
      .lens_refresh = json_is_true(AT(can, "workspace", "codeLens", "refreshSupport")),
      .progress = json_is_true(AT(can, "window", "workDoneProgress")),
      .related_information = json_is_true(AT(text, "publishDiagnostics", "relatedInformation")),
      .nested_symbols =
          json_is_true(AT(text, "documentSymbol", "hierarchicalDocumentSymbolSupport")),
      .literal_actions = AT(text, "codeAction", "codeActionLiteralSupport") != NULL,
      .document_changes = json_is_true(AT(can, "workspace", "workspaceEdit", "documentChanges")),
      .markdown = !formats || offers(formats, "markdown"),
      .verdict_diagnostics = wish ? json_is_true(wish) : !shows_lenses(params),
      .plays = json_is_true(AT(params, "initializationOptions", "play")),
      .pictures = json_is_true(AT(params, "initializationOptions", "picture")),
  };
}

static void on_parent_gone(uv_poll_t *poll, int status, int events)
{
  (void)status;
  (void)events;
  server_end(poll->data);
}

/* A descriptor for a process is readable once it has ended: nothing need be looked at by the clock. */
static void watch_parent(struct server *server, const json_t *process_id)
{
  json_int_t pid = json_integer_value(process_id);
  if (!json_is_integer(process_id) || pid <= 0)
    return;
  server->parent_fd = process_descriptor((pid_t)pid);
  if (server->parent_fd < 0) {
    if (server->parent_fd == -ESRCH)
      server_end(server);
    return;
  }
  if (uv_poll_init(&server->loop, &server->parent, server->parent_fd))
    return;
  server->watches_parent = true;
  server->parent.data = server;
  uv_poll_start(&server->parent, UV_READABLE, on_parent_gone);
  uv_unref((uv_handle_t *)&server->parent);
}

static json_t *capabilities(enum position_encoding encoding)
{
  static const char *const names[] = {
      [POSITION_UTF16] = "utf-16", [POSITION_UTF8] = "utf-8", [POSITION_UTF32] = "utf-32"};
  return json_pack(
      "{ss, s{sb, si}, sb, sb, s{s[ssss]}, s{sb}, sb, s{s[ssss]}, sb, sb, s{so}}",
      "positionEncoding", names[encoding], "textDocumentSync", "openClose", 1, "change", 2,
      "hoverProvider", 1, "documentSymbolProvider", 1, "codeActionProvider", "codeActionKinds",
      "quickfix", "refactor.rewrite", "source.fixAll.catmouse", "source.sortLists.catmouse",
      "codeLensProvider", "resolveProvider", 0, "foldingRangeProvider", 1, "completionProvider",
      "triggerCharacters", "\"", "[", ",", "{", "inlayHintProvider", 1, "workspaceSymbolProvider",
      0, "executeCommandProvider", "commands", command_names());
}

void lifecycle_initialize(struct server *server, struct request_in *request)
{
  read_editor(request->params, &server->editor);
  server->phase = SERVER_READY;
  json_t *process_id = json_incref(json_object_get(request->params, "processId"));
  request_reply(server, request,
                json_pack("{so, s{ss, ss}}", "capabilities", capabilities(server->editor.encoding),
                          "serverInfo", "name", "catmouse", "version", CATMOUSE_VERSION));
  watch_parent(server, process_id);
  json_decref(process_id);
}

void lifecycle_shutdown(struct server *server, struct request_in *request)
{
  requests_cancel_all(server, request);
  for (struct open_file *file = server->files; file; file = file->next)
    for (uint32_t i = 0; file->verdicts && i < file->verdicts->count; i++)
      verdict_cancel(file->verdicts->verdict[i]);
  server->phase = SERVER_SHUT;
  request_reply(server, request, json_null());
}

void lifecycle_exit(struct server *server, const json_t *params)
{
  (void)params;
  server_end(server);
}
