#include "lsp/actions.h"

#include <string.h>

#include "lsp/asking.h"
#include "lsp/diagnostics.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"

/* A kind is wanted with all that are below it: "source" takes in "source.fixAll". */
bool actions_want(const struct actions *actions, const char *kind)
{
  size_t i;
  json_t *wanted;
  json_array_foreach(actions->only, i, wanted)
  {
    const char *text = json_is_string(wanted) ? json_string_value(wanted) : "";
    size_t length = strlen(text);
    if (strncmp(kind, text, length) == 0 &&
        (kind[length] == '\0' || kind[length] == '.' || length == 0))
      return true;
  }
  return !actions->only;
}

static json_t *workspace_edit(const struct actions *actions, json_t *edits)
{
  const struct document *document = actions->document;
  if (actions->server->editor.document_changes)
    return json_pack("{s[{s{ss, sI}, so}]}", "documentChanges", "textDocument", "uri",
                     document->uri, "version", (json_int_t)document->version, "edits", edits);
  return json_pack("{s{so}}", "changes", document->uri, edits);
}

void actions_add(struct actions *actions, const char *title, const char *kind, json_t *edits,
                 uint32_t at, const struct text_fault *fault, bool preferred)
{
  if (json_array_size(edits) == 0) {
    json_decref(edits);
    return;
  }
  json_t *action = json_pack("{ss, ss, so}", "title", title, "kind", kind, "edit",
                             workspace_edit(actions, edits));
  if (action && fault)
    json_object_set_new(
        action, "diagnostics",
        json_pack("[o]", diagnostic_json(actions->server, actions->document, at, fault)));
  if (action && preferred)
    json_object_set_new(action, "isPreferred", json_true());
  json_array_append_new(actions->list, action);
}

static void add_fixes(struct actions *actions, const struct shown *shown, struct text_span range)
{
  const struct text_faults *faults = &shown->puzzle->faults;
  for (uint32_t i = 0; i < faults->count; i++)
    if (spans_meet(shown_span(shown, faults->fault[i].span), range))
      fixes_of_fault(actions, shown, &faults->fault[i]);
}

void actions_answer(struct server *server, struct request_in *request)
{
  struct open_file *file;
  struct text_span range;
  if (!asked_range(server, request, &file, &range))
    return;
  const json_t *context = json_object_get(request->params, "context");
  struct actions actions = {server, file->document, json_object_get(context, "only"), json_array()};
  for (uint32_t i = 0; i < file->document->shown_count && server->editor.literal_actions; i++) {
    const struct shown *shown = &file->document->shown[i];
    if (!spans_meet(shown_span(shown, shown->puzzle->span), range))
      continue;
    if (actions_want(&actions, "quickfix"))
      add_fixes(&actions, shown, range);
    rewrites_of(&actions, shown);
  }
  if (server->editor.literal_actions && actions_want(&actions, "source.fixAll.catmouse"))
    fixes_of_all(&actions);
  request_reply(server, request, actions.list);
}
