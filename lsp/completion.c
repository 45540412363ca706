/* Completion: in a list, the nodes that list this one and are not listed here; elsewhere in an object, its keys. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/asking.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"
#include "lsp/spots.h"

enum { ITEM_VALUE = 12, ITEM_PROPERTY = 10 };

static bool lists(const struct text_puzzle *puzzle, uint32_t list, uint32_t node)
{
  for (uint32_t i = puzzle->first[list]; i < puzzle->first[list + 1]; i++)
    if (puzzle->neighbour[i] == (int32_t)node)
      return true;
  return false;
}

static void add_nodes(const struct text_puzzle *puzzle, uint32_t list, json_t *items)
{
  for (uint32_t node = 0; node < puzzle->items_count; node++) {
    char label[16], order[16], detail[64];
    if (node == list || !lists(puzzle, node, list) || lists(puzzle, list, node))
      continue;
    snprintf(label, sizeof label, "%" PRIu32, node);
    snprintf(order, sizeof order, "%010" PRIu32, node);
    snprintf(detail, sizeof detail, "the list of %" PRIu32 " has %" PRIu32, node, list);
    json_array_append_new(items, json_pack("{ss, si, ss, ss}", "label", label, "kind", ITEM_VALUE,
                                           "sortText", order, "detail", detail));
  }
}

/* Of the key's word before the cursor, with the quote where it has one. */
static struct text_span word_before(const struct document *document, uint32_t offset)
{
  uint32_t at = offset;
  while (at > 0 && (document->bytes[at - 1] | 0x20) >= 'a' &&
         (document->bytes[at - 1] | 0x20) <= 'z')
    at--;
  at -= at > 0 && document->bytes[at - 1] == '"';
  return (struct text_span){at, offset - at};
}

/* An open brace or a comma, space apart, is where a key goes. */
static bool awaits_key(const struct document *document, uint32_t at)
{
  while (at > 0 && strchr(" \t\r\n", document->bytes[at - 1]))
    at--;
  return at > 0 && (document->bytes[at - 1] == '{' || document->bytes[at - 1] == ',');
}

/* A key that is just being written does not count as there, whatever it is read as so far. */
static bool has_key(const struct shown *shown, enum text_key key, struct text_span word)
{
  const struct text_entry *entry = &shown->puzzle->entry[key];
  return entry->given && !spans_meet(shown_span(shown, entry->key), word) &&
         !spans_meet(shown_span(shown, entry->value), word);
}

/* A graph goes with no other key. */
static bool wants_key(const struct shown *shown, enum text_key key, struct text_span word)
{
  bool grid = key != TEXT_KEY_GRAPH;
  for (enum text_key other = 0; !grid && other < TEXT_KEYS; other++)
    if (has_key(shown, other, word))
      return false;
  return !has_key(shown, key, word) && !(grid && has_key(shown, TEXT_KEY_GRAPH, word));
}

static void add_keys(const struct server *server, const struct document *document,
                     const struct shown *shown, uint32_t offset, json_t *items)
{
  struct text_span word = word_before(document, offset);
  bool quote_after = offset < document->length && document->bytes[offset] == '"';
  if (!awaits_key(document, word.at))
    return;
  for (enum text_key key = 0; key < TEXT_KEYS; key++) {
    char text[32];
    if (!wants_key(shown, key, word))
      continue;
    snprintf(text, sizeof text, "\"%s\"%s", text_key_names[key], quote_after ? "" : ": ");
    struct text_span replaced = {word.at, word.length + quote_after};
    json_array_append_new(
        items, json_pack("{ss, si, ss, s{so, ss}}", "label", text_key_names[key], "kind",
                         ITEM_PROPERTY, "filterText", text, "textEdit", "range",
                         range_json(document, server->editor.encoding, replaced), "newText", text));
  }
}

void completion_answer(struct server *server, struct request_in *request)
{
  struct open_file *file;
  uint32_t offset;
  if (!asked_place(server, request, &file, &offset))
    return;
  const struct shown *shown = document_puzzle_at(file->document, offset);
  json_t *items = json_array();
  struct spot spot = {0};
  if (shown)
    spot = spot_at(file->document, shown, offset);
  if (shown && spot.kind != SPOT_HEAD && shown->puzzle->game == GAME_GRAPH)
    add_nodes(shown->puzzle, spot.item, items);
  else if (shown && spot.kind == SPOT_HEAD)
    add_keys(server, file->document, shown, offset, items);
  request_reply(server, request, items);
}
