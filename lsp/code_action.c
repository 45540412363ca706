/* textDocument/codeAction: the repairs of what is in the range, of all, and the other forms of its puzzles. */
#include "lsp/actions.h"
#include "lsp/asking.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"

static void add_fixes(struct actions *actions, const struct shown *shown,
                      const struct text_faults *faults, struct text_span range)
{
  for (uint32_t i = 0; i < faults->count; i++)
    if (spans_meet(shown_span(shown, faults->fault[i].span), range))
      fixes_of_fault(actions, shown, &faults->fault[i]);
}

/* Of what is in no puzzle; in a file of other JSON that is not ours. */
static void add_fixes_outside(struct actions *actions, struct text_span range)
{
  const struct sections *sections = &actions->document->sections;
  for (uint32_t i = 0; i < sections->count && actions->document->kind != FILE_JSON; i++) {
    const struct section *section = &sections->section[i];
    add_fixes(actions, &(struct shown){.at = section->at}, &section->text->faults, range);
  }
}

void actions_answer(struct server *server, struct request_in *request)
{
  struct open_file *file;
  struct text_span range;
  if (!asked_range(server, request, &file, &range))
    return;
  const json_t *context = json_object_get(request->params, "context");
  struct actions actions = {server, file->document, json_object_get(context, "only"), json_array(),
                            0};
  for (uint32_t i = 0; i < file->document->shown_count && server->editor.literal_actions; i++) {
    const struct shown *shown = &file->document->shown[i];
    if (!spans_meet(shown_span(shown, shown->puzzle->span), range))
      continue;
    if (actions_want(&actions, "quickfix"))
      add_fixes(&actions, shown, &shown->puzzle->faults, range);
    rewrites_of(&actions, shown);
  }
  if (server->editor.literal_actions && actions_want(&actions, "quickfix"))
    add_fixes_outside(&actions, range);
  if (server->editor.literal_actions && actions_want(&actions, "source.fixAll.catmouse"))
    fixes_of_all(&actions);
  request_reply(server, request, actions.list);
}
