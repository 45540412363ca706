/* Inlay hints: which node a list is of, and who begins there; which row of a grid it is. */
#include <inttypes.h>
#include <stdio.h>

#include "lsp/asking.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"

static void write_label(const struct text_puzzle *puzzle, uint32_t item, char label[static 32])
{
  static const char *const names[] = {" hole", " mouse", " cat"};
  bool named = puzzle->game == GAME_GRAPH && item < sizeof names / sizeof names[0];
  snprintf(label, 32, "%" PRIu32 "%s", item, named ? names[item] : "");
}

/* Before the bracket, or before the quote of a row. */
static uint32_t place_of(const struct document *document, const struct shown *shown, uint32_t item)
{
  uint32_t at = shown->at + shown->puzzle->item[item].at;
  bool quoted = shown->puzzle->game == GAME_GRID && at > 0 &&
                (document->bytes[at - 1] == '"' || document->bytes[at - 1] == '\'');
  return at - quoted;
}

static void add_hints(const struct server *server, const struct document *document,
                      const struct shown *shown, struct text_span range, json_t *list)
{
  const struct text_puzzle *puzzle = shown->puzzle;
  for (uint32_t item = 0; puzzle->has_game && item < puzzle->items_count; item++) {
    char label[32];
    uint32_t at = place_of(document, shown, item);
    if (at < range.at || at > range.at + range.length)
      continue;
    write_label(puzzle, item, label);
    json_array_append_new(list, json_pack("{so, ss, sb}", "position",
                                          position_json(document, server->editor.encoding, at),
                                          "label", label, "paddingRight", 1));
  }
}

void inlay_answer(struct server *server, struct request_in *request)
{
  struct open_file *file;
  struct text_span range;
  if (!asked_range(server, request, &file, &range))
    return;
  json_t *list = json_array();
  for (uint32_t i = 0; i < file->document->shown_count; i++)
    add_hints(server, file->document, &file->document->shown[i], range, list);
  request_reply(server, request, list);
}
