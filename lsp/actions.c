#include "lsp/actions.h"

#include <string.h>

#include "lsp/diagnostics.h"

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
