/*
 * Code lenses: one line over each puzzle, whatever is known of it. A request that comes while a verdict is near is
 * held until it is there; one that could only say what will change by itself is remembered, and the editor is then
 * asked to come again.
 */
#include "lsp/asking.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"
#include "lsp/words.h"

static json_t *lens(const struct server *server, const struct open_file *file, uint32_t index,
                    const char *title, const char *command)
{
  const struct document *document = file->document;
  const struct shown *shown = &document->shown[index];
  struct text_span first = {shown->puzzle->span.at, 1};
  return json_pack("{so, s{ss, ss, s[{ss, sI}]}}", "range",
                   range_json(document, server->editor.encoding, shown_span(shown, first)),
                   "command", "title", title, "command", command, "arguments", "uri", document->uri,
                   "puzzle", (json_int_t)index);
}

static bool awaits_verdict(const struct open_file *file)
{
  for (uint32_t i = 0; i < file->verdicts->count; i++)
    if (verdict_is_near(file->verdicts->verdict[i]))
      return true;
  return false;
}

static json_t *lenses(const struct server *server, struct open_file *file)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < file->verdicts->count; i++) {
    const struct puzzle_verdict *verdict = file->verdicts->verdict[i];
    char words[WORDS_MAX];
    words_of_verdict(verdict, words);
    json_array_append_new(list, lens(server, file, i, words, "catmouse.solve"));
    if (server->editor.plays && verdict->phase == VERDICT_KNOWN)
      json_array_append_new(list, lens(server, file, i, "play", "catmouse.play"));
    if (server->editor.pictures && verdict->phase == VERDICT_KNOWN)
      json_array_append_new(list, lens(server, file, i, "picture", "catmouse.showPicture"));
    file->lens_old |= verdict->phase == VERDICT_PAUSING || verdict->phase == VERDICT_ASKED;
  }
  return list;
}

void lens_answer(struct server *server, struct request_in *request)
{
  struct open_file *file = asked_file(server, request);
  if (!file)
    return;
  if (!server->impatient && awaits_verdict(file)) {
    request_await(request, file);
    return;
  }
  file->lens_old = false;
  request_reply(server, request, lenses(server, file));
}
