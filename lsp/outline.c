/* Document symbols and folding ranges: a file's puzzles, and their lists or rows. */
#include <inttypes.h>
#include <stdio.h>

#include "lsp/asking.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"

enum { SYMBOL_OBJECT = 19, SYMBOL_ARRAY = 18 };

static json_t *symbol(const struct server *server, const struct document *document,
                      const char *name, int kind, struct text_span span)
{
  return json_pack("{ss, si, so, so}", "name", name, "kind", kind, "range",
                   range_json(document, server->editor.encoding, span), "selectionRange",
                   range_json(document, server->editor.encoding, span));
}

/* What an editor takes that knows no nesting. */
static json_t *flat_symbol(const struct server *server, const struct document *document,
                           const char *name, int kind, struct text_span span)
{
  return json_pack("{ss, si, s{ss, so}}", "name", name, "kind", kind, "location", "uri",
                   document->uri, "range", range_json(document, server->editor.encoding, span));
}

/* A list, or a row with its cells, of which plugins make a board. */
static json_t *item(const struct server *server, const struct document *document,
                    const struct shown *shown, uint32_t index)
{
  const struct text_puzzle *puzzle = shown->puzzle;
  bool graph = puzzle->game == GAME_GRAPH;
  char name[32];
  snprintf(name, sizeof name, "%s %" PRIu32, graph ? "node" : "row", index);
  json_t *made =
      symbol(server, document, name, SYMBOL_ARRAY, shown_span(shown, puzzle->item[index]));
  if (!graph && shown_is_sound(shown))
    json_object_set_new(made, "detail",
                        json_stringn(puzzle->row[index], puzzle->row_length[index]));
  return made;
}

static json_t *items(const struct server *server, const struct document *document,
                     const struct shown *shown)
{
  json_t *list = json_array();
  for (uint32_t i = 0; shown->puzzle->has_game && i < shown->puzzle->items_count; i++)
    json_array_append_new(list, item(server, document, shown, i));
  return list;
}

static void name_puzzle(const struct text_puzzle *puzzle, char name[static 64])
{
  bool graph = puzzle->game == GAME_GRAPH;
  if (puzzle->has_game)
    snprintf(name, 64, "%s of %" PRIu32 " %s", graph ? "graph" : "grid", puzzle->items_count,
             graph ? "nodes" : "rows");
  else
    snprintf(name, 64, "puzzle");
}

void symbols_answer(struct server *server, struct request_in *request)
{
  struct open_file *file = asked_file(server, request);
  if (!file)
    return;
  json_t *list = json_array();
  for (uint32_t i = 0; i < file->document->shown_count; i++) {
    const struct shown *shown = &file->document->shown[i];
    struct text_span span = shown_span(shown, shown->puzzle->span);
    char name[64];
    name_puzzle(shown->puzzle, name);
    json_t *made = server->editor.nested_symbols
                       ? symbol(server, file->document, name, SYMBOL_OBJECT, span)
                       : flat_symbol(server, file->document, name, SYMBOL_OBJECT, span);
    if (server->editor.nested_symbols)
      json_object_set_new(made, "children", items(server, file->document, shown));
    json_array_append_new(list, made);
  }
  request_reply(server, request, list);
}

static void add_fold(const struct document *document, struct text_span span, json_t *list)
{
  uint32_t first = lines_find(&document->lines, span.at);
  uint32_t last = lines_find(&document->lines, span.at + span.length);
  if (last > first)
    json_array_append_new(
        list, json_pack("{sI, sI}", "startLine", (json_int_t)first, "endLine", (json_int_t)last));
}

void folds_answer(struct server *server, struct request_in *request)
{
  struct open_file *file = asked_file(server, request);
  if (!file)
    return;
  json_t *list = json_array();
  for (uint32_t i = 0; i < file->document->shown_count; i++) {
    const struct shown *shown = &file->document->shown[i];
    add_fold(file->document, shown_span(shown, shown->puzzle->span), list);
    for (uint32_t k = 0; shown->puzzle->has_game && k < shown->puzzle->items_count; k++)
      add_fold(file->document, shown_span(shown, shown->puzzle->item[k]), list);
  }
  request_reply(server, request, list);
}
