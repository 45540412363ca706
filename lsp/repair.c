#include "lsp/repair.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/ranges.h"

enum { STYLE_MAX = 64, LISTS_LOOKED_AT = 100 };

int repair_init(struct repair *repair, const struct text_puzzle *puzzle)
{
  uint32_t numbers = puzzle->items_count ? puzzle->first[puzzle->items_count] : 0;
  *repair = (struct repair){.puzzle = puzzle};
  repair->dropped = calloc(numbers + 1, sizeof *repair->dropped);
  return repair->dropped ? 0 : -ENOMEM;
}

void repair_deinit(struct repair *repair)
{
  free(repair->dropped);
  free(repair->added);
}

void repair_drop(struct repair *repair, uint32_t number)
{
  repair->dropped[number] = true;
}

int repair_add(struct repair *repair, uint32_t list, int32_t node)
{
  if (repair->added_count == repair->added_room) {
    uint32_t room = repair->added_room ? 2 * repair->added_room : 8;
    struct added *grown = realloc(repair->added, room * sizeof *grown);
    if (!grown)
      return -ENOMEM;
    repair->added = grown;
    repair->added_room = room;
  }
  repair->added[repair->added_count++] = (struct added){list, node};
  return 0;
}

static int compare_added(const void *left, const void *right)
{
  const struct added *a = left, *b = right;
  if (a->list != b->list)
    return a->list < b->list ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

/* Every edge that stays, sorted. NULL without memory. Drops the others. */
static struct added *keep_edges(struct repair *repair, uint32_t *count)
{
  const struct text_puzzle *puzzle = repair->puzzle;
  struct added *edge = malloc((puzzle->first[puzzle->items_count] + 1) * sizeof *edge);
  uint32_t *seen_in =
      calloc(puzzle->items_count, sizeof *seen_in); /* by node: a list, counted from 1 */
  *count = 0;
  for (uint32_t list = 0; edge && seen_in && list < puzzle->items_count; list++) {
    uint32_t begin = *count;
    for (uint32_t i = puzzle->first[list]; i < puzzle->first[list + 1]; i++) {
      int32_t node = puzzle->neighbour[i];
      bool good = node >= 0 && (uint32_t)node < puzzle->items_count && (uint32_t)node != list;
      if (!good || seen_in[node] == list + 1) {
        repair_drop(repair, i);
        continue;
      }
      seen_in[node] = list + 1;
      edge[(*count)++] = (struct added){list, node};
    }
    qsort(edge + begin, *count - begin, sizeof *edge, compare_added);
  }
  if (!seen_in) {
    free(edge);
    return NULL;
  }
  free(seen_in);
  return edge;
}

int repair_all(struct repair *repair)
{
  uint32_t count;
  int rc = 0;
  struct added *edge = keep_edges(repair, &count);
  if (!edge)
    return -ENOMEM;
  for (uint32_t i = 0; i < count && rc == 0; i++) {
    struct added mirror = {(uint32_t)edge[i].node, (int32_t)edge[i].list};
    if (!bsearch(&mirror, edge, count, sizeof *edge, compare_added))
      rc = repair_add(repair, mirror.list, mirror.node);
  }
  free(edge);
  return rc;
}

json_t *edit_json(const struct document *document, enum position_encoding encoding,
                  struct text_span span, const char *text)
{
  return json_pack("{so, ss}", "range", range_json(document, encoding, span), "newText", text);
}

/* Nothing but a comma and space between two numbers. */
static bool is_style(const char *bytes, uint32_t length)
{
  uint32_t commas = 0;
  for (uint32_t i = 0; i < length; i++) {
    commas += bytes[i] == ',';
    if (!strchr(", \t\r\n", bytes[i]))
      return false;
  }
  return length > 0 && length < STYLE_MAX && commas <= 1;
}

/* What the list puts between its last two numbers. */
static bool style_of(const struct text_puzzle *puzzle, const char *bytes, uint32_t list,
                     char style[static STYLE_MAX])
{
  uint32_t end = puzzle->first[list + 1];
  if (end - puzzle->first[list] < 2)
    return false;
  uint32_t at = puzzle->number[end - 2].at + puzzle->number[end - 2].length;
  uint32_t length = puzzle->number[end - 1].at - at;
  if (!is_style(bytes + at, length))
    return false;
  memcpy(style, bytes + at, length);
  style[length] = '\0';
  return true;
}

static void find_style(const struct text_puzzle *puzzle, const char *bytes, uint32_t list,
                       char style[static STYLE_MAX])
{
  if (style_of(puzzle, bytes, list, style))
    return;
  for (uint32_t other = 0; other < puzzle->items_count && other < LISTS_LOOKED_AT; other++)
    if (style_of(puzzle, bytes, other, style) && !strchr(style, '\n'))
      return;
  memcpy(style, ",", 2);
}

/* A number goes with what is before it, back to the one before; the first ones with what is behind them. */
static void drop_numbers(const struct repair *repair, const struct document *document,
                         enum position_encoding encoding, uint32_t at, uint32_t list, json_t *edits)
{
  const struct text_puzzle *puzzle = repair->puzzle;
  const struct text_span *number = puzzle->number;
  bool kept = false;
  for (uint32_t i = puzzle->first[list]; i < puzzle->first[list + 1]; i++) {
    bool last = i + 1 == puzzle->first[list + 1];
    uint32_t begin = number[i].at, end = begin + number[i].length;
    kept |= !repair->dropped[i];
    if (!repair->dropped[i])
      continue;
    if (kept)
      begin = number[i - 1].at + number[i - 1].length;
    else if (!last)
      end = number[i + 1].at;
    struct text_span span = {at + begin, end - begin};
    json_array_append_new(edits, edit_json(document, encoding, span, ""));
  }
}

static bool any_kept(const struct repair *repair, uint32_t list)
{
  for (uint32_t i = repair->puzzle->first[list]; i < repair->puzzle->first[list + 1]; i++)
    if (!repair->dropped[i])
      return true;
  return false;
}

/* Behind the last number, or the opening bracket; none where something else stands for a list. In their order. */
static void add_node(const struct repair *repair, const struct document *document,
                     enum position_encoding encoding, uint32_t at, const struct added *added,
                     json_t *edits)
{
  const struct text_puzzle *puzzle = repair->puzzle;
  char style[STYLE_MAX], text[STYLE_MAX + 16];
  if (!strchr("[({", document->bytes[at + puzzle->item[added->list].at]))
    return;
  uint32_t end = puzzle->first[added->list + 1];
  bool empty = end == puzzle->first[added->list];
  bool first =
      !any_kept(repair, added->list) && (added == repair->added || added[-1].list != added->list);
  struct text_span span = {at + (empty
                                     ? puzzle->item[added->list].at + 1
                                     : puzzle->number[end - 1].at + puzzle->number[end - 1].length),
                           0};
  find_style(puzzle, document->bytes + at, added->list, style);
  snprintf(text, sizeof text, "%s%" PRId32, first ? "" : style, added->node);
  json_array_append_new(edits, edit_json(document, encoding, span, text));
}

void repair_edits(const struct repair *repair, const struct document *document,
                  enum position_encoding encoding, uint32_t at, json_t *edits)
{
  if (repair->added_count > 1)
    qsort(repair->added, repair->added_count, sizeof *repair->added, compare_added);
  for (uint32_t list = 0; list < repair->puzzle->items_count; list++)
    drop_numbers(repair, document, encoding, at, list, edits);
  for (uint32_t i = 0; i < repair->added_count; i++)
    add_node(repair, document, encoding, at, &repair->added[i], edits);
}
