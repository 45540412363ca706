/* The editor's text and ours: opened, edited, closed. */
#include <stdlib.h>
#include <string.h>

#include "lsp/diagnostics.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"

static const char *text_or_empty(const json_t *text)
{
  return json_is_string(text) ? json_string_value(text) : "";
}

static void close_file(struct server *server, struct open_file *file)
{
  for (struct open_file **at = &server->files; *at; at = &(*at)->next) {
    if (*at == file) {
      *at = file->next;
      break;
    }
  }
  for (struct request_in *request = server->requests, *next; request; request = next) {
    next = request->next;
    if (request->awaits == file)
      request_reply(server, request, json_null());
  }
  if (file->verdicts)
    verdicts_close(file->verdicts);
  document_free(file->document);
  free(file);
}

void sync_open(struct server *server, const json_t *params)
{
  const json_t *item = json_object_get(params, "textDocument");
  const json_t *uri = json_object_get(item, "uri"), *text = json_object_get(item, "text");
  if (!json_is_string(uri) || !json_is_string(text))
    return;
  struct open_file *old = server_file(server, json_string_value(uri));
  if (old)
    close_file(server, old);
  struct open_file *file = calloc(1, sizeof *file);
  const char *language = text_or_empty(json_object_get(item, "languageId"));
  enum file_kind kind = file_kind_of(json_string_value(uri), language);
  if (!file || document_new(json_string_value(uri), kind, json_string_value(text),
                            json_string_length(text), &file->document)) {
    free(file);
    return;
  }
  file->server = server;
  file->document->version = json_integer_value(json_object_get(item, "version"));
  file->edited = true;
  file->next = server->files;
  server->files = file;
}

static void apply(const struct server *server, struct document *document, const json_t *change)
{
  struct text_span span = {0, document->length};
  const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
  if (!json_is_string(text))
    return;
  if (range && !json_is_null(range) && !range_read(document, server->editor.encoding, range, &span))
    return;
  document_replace(document, span.at, span.at + span.length, json_string_value(text),
                   json_string_length(text));
}

/* Not server_file(): a run of edits is scanned once, when the last has come. */
static struct open_file *find(const struct server *server, const char *uri)
{
  struct open_file *file = server->files;
  while (file && strcmp(file->document->uri, uri) != 0)
    file = file->next;
  return file;
}

void sync_change(struct server *server, const json_t *params)
{
  const json_t *item = json_object_get(params, "textDocument");
  struct open_file *file = find(server, text_or_empty(json_object_get(item, "uri")));
  size_t i;
  json_t *change;
  if (!file)
    return;
  json_array_foreach(json_object_get(params, "contentChanges"), i, change)
  {
    apply(server, file->document, change);
  }
  file->document->version = json_integer_value(json_object_get(item, "version"));
  file->edited = true;
}

void sync_close(struct server *server, const json_t *params)
{
  const json_t *item = json_object_get(params, "textDocument");
  struct open_file *file = find(server, text_or_empty(json_object_get(item, "uri")));
  if (!file)
    return;
  diagnostics_clear(server, file->document);
  close_file(server, file);
}
