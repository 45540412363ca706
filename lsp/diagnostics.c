#include "lsp/diagnostics.h"

#include "lsp/ranges.h"
#include "lsp/send.h"
#include "lsp/words.h"

enum { SEVERITY_ERROR = 1, SEVERITY_INFORMATION = 3, DIAGNOSTICS_MAX = 1000 /* of a file */ };

static json_t *related(const struct server *server, const struct document *document,
                       struct text_span other)
{
  return json_pack("[{s{ss, so}, ss}]", "location", "uri", document->uri, "range",
                   range_json(document, server->editor.encoding, other), "message",
                   "the other place");
}

json_t *diagnostic_json(const struct server *server, const struct document *document, uint32_t at,
                        const struct text_fault *fault)
{
  char message[FAULT_WORDS_MAX];
  words_of_fault(fault, message);
  struct text_span span = {at + fault->span.at, fault->span.length};
  struct text_span other = {at + fault->other.at, fault->other.length};
  json_t *diagnostic =
      json_pack("{so, si, ss, ss, ss}", "range",
                range_json(document, server->editor.encoding, span), "severity", SEVERITY_ERROR,
                "code", text_code_name(fault->code), "source", "catmouse", "message", message);
  if (diagnostic && fault->has_other && server->editor.related_information)
    json_object_set_new(diagnostic, "relatedInformation", related(server, document, other));
  return diagnostic;
}

static void add_faults(const struct server *server, const struct document *document, uint32_t at,
                       const struct text_faults *faults, json_t *list)
{
  for (uint32_t i = 0; i < faults->count && json_array_size(list) < DIAGNOSTICS_MAX; i++)
    if (faults->fault[i].code != TEXT_NO_PUZZLE)
      json_array_append_new(list, diagnostic_json(server, document, at, &faults->fault[i]));
}

/* Where the editor shows verdicts in no other way by itself. */
static void add_verdict(const struct server *server, const struct open_file *file, uint32_t index,
                        json_t *list)
{
  const struct puzzle_verdict *verdict = file->verdicts->verdict[index];
  const struct shown *shown = &file->document->shown[index];
  if (verdict->phase != VERDICT_KNOWN || json_array_size(list) >= DIAGNOSTICS_MAX)
    return;
  char words[WORDS_MAX];
  words_of_verdict(verdict, words);
  struct text_span first = {shown->puzzle->span.at, 1};
  json_array_append_new(
      list, json_pack("{so, si, ss, ss, ss}", "range",
                      range_json(file->document, server->editor.encoding, shown_span(shown, first)),
                      "severity", SEVERITY_INFORMATION, "code", "verdict", "source", "catmouse",
                      "message", words));
}

/* In a file of other JSON, faults outside of puzzles are not ours to tell of. */
static json_t *all_of(const struct server *server, const struct open_file *file)
{
  const struct document *document = file->document;
  json_t *list = json_array();
  for (uint32_t i = 0; i < document->sections.count && document->kind != FILE_JSON; i++)
    add_faults(server, document, document->sections.section[i].at,
               &document->sections.section[i].text->faults, list);
  for (uint32_t i = 0; i < document->shown_count; i++) {
    const struct shown *shown = &document->shown[i];
    add_faults(server, document, shown->at, &shown->puzzle->faults, list);
    if (server->editor.verdict_diagnostics && i < file->verdicts->count)
      add_verdict(server, file, i, list);
  }
  return list;
}

void diagnostics_send(struct server *server, const struct open_file *file)
{
  send_notification(server, "textDocument/publishDiagnostics",
                    json_pack("{ss, sI, so}", "uri", file->document->uri, "version",
                              (json_int_t)file->document->version, "diagnostics",
                              all_of(server, file)));
}

void diagnostics_clear(struct server *server, const struct document *document)
{
  send_notification(server, "textDocument/publishDiagnostics",
                    json_pack("{ss, s[]}", "uri", document->uri, "diagnostics"));
}
