#include "lsp/asking.h"

#include "lsp/ranges.h"

struct open_file *asked_file(struct server *server, struct request_in *request)
{
  const json_t *item = json_object_get(request->params, "textDocument");
  struct open_file *file = server_file(server, json_string_value(json_object_get(item, "uri")));
  if (file && file->document->scanned && file->verdicts)
    return file;
  request_reply(server, request, json_null());
  return NULL;
}

bool asked_place(struct server *server, struct request_in *request, struct open_file **file,
                 uint32_t *offset)
{
  *file = asked_file(server, request);
  if (!*file)
    return false;
  if (position_read((*file)->document, server->editor.encoding,
                    json_object_get(request->params, "position"), offset))
    return true;
  request_fail(server, request, LSP_INVALID_PARAMS, "position: no line and character");
  return false;
}

bool asked_range(struct server *server, struct request_in *request, struct open_file **file,
                 struct text_span *range)
{
  *file = asked_file(server, request);
  if (!*file)
    return false;
  if (range_read((*file)->document, server->editor.encoding,
                 json_object_get(request->params, "range"), range))
    return true;
  request_fail(server, request, LSP_INVALID_PARAMS, "range: no start and end");
  return false;
}
