/*
 * A sound puzzle in another form: what stands before its list and behind it is replaced, the list itself is kept as
 * it is. And its neighbours in order: each number that moves is replaced by the one that comes there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/actions.h"
#include "lsp/repair.h"

enum { SUFFIX_MAX = 80, LISTS_UNASKED_MAX = 500 /* sorted where nobody asked for that alone */ };

static void wrap(struct actions *actions, const struct shown *shown, const char *title,
                 const char *before, const char *behind)
{
  const struct text_puzzle *puzzle = shown->puzzle;
  uint32_t list_end = puzzle->list.at + puzzle->list.length;
  uint32_t end = puzzle->span.at + puzzle->span.length;
  struct text_span head = {puzzle->span.at, puzzle->list.at - puzzle->span.at};
  struct text_span tail = {list_end, end - list_end};
  enum position_encoding encoding = actions->server->editor.encoding;
  json_t *edits = json_array();
  if (head.length > 0 || *before)
    json_array_append_new(edits,
                          edit_json(actions->document, encoding, shown_span(shown, head), before));
  if (tail.length > 0 || *behind)
    json_array_append_new(edits,
                          edit_json(actions->document, encoding, shown_span(shown, tail), behind));
  actions_add(actions, title, "refactor.rewrite", edits, 0, NULL, false);
}

static void rewrite_graph(struct actions *actions, const struct shown *shown)
{
  enum text_form form = shown->puzzle->form;
  if (form != TEXT_OBJECT)
    wrap(actions, shown, "Write as an object", "{\"graph\": ", "}");
  if (form != TEXT_LIST && actions->document->kind != FILE_JSON)
    wrap(actions, shown, "Write as a bare list, as in LeetCode's box", "", "");
}

static void rewrite_grid(struct actions *actions, const struct shown *shown)
{
  const int32_t *jump = shown->puzzle->jump;
  char behind[SUFFIX_MAX];
  snprintf(behind, sizeof behind, ", \"catJump\": %" PRId32 ", \"mouseJump\": %" PRId32 "}",
           jump[PLAYER_CAT], jump[PLAYER_MOUSE]);
  if (shown->puzzle->form != TEXT_OBJECT)
    wrap(actions, shown, "Write as an object", "{\"grid\": ", behind);
  const char *gap = document_section(actions->document, shown)->has_margin ? " " : "\n";
  snprintf(behind, sizeof behind, "%s%" PRId32 "%s%" PRId32, gap, jump[PLAYER_CAT], gap,
           jump[PLAYER_MOUSE]);
  if (shown->puzzle->form != TEXT_BOX && actions->document->kind != FILE_JSON)
    wrap(actions, shown, "Write as in LeetCode's box", "", behind);
}

static int compare(const void *left, const void *right)
{
  int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
  return (a > b) - (a < b);
}

static void sort_list(const struct actions *actions, const struct shown *shown, uint32_t list,
                      int32_t *sorted, json_t *edits)
{
  const struct text_puzzle *puzzle = shown->puzzle;
  uint32_t begin = puzzle->first[list], count = puzzle->first[list + 1] - begin;
  if (count < 2)
    return;
  memcpy(sorted, puzzle->neighbour + begin, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare);
  for (uint32_t i = 0; i < count; i++) {
    char text[16];
    if (sorted[i] == puzzle->neighbour[begin + i])
      continue;
    snprintf(text, sizeof text, "%" PRId32, sorted[i]);
    json_array_append_new(edits, edit_json(actions->document, actions->server->editor.encoding,
                                           shown_span(shown, puzzle->number[begin + i]), text));
  }
}

static void sort_lists(struct actions *actions, const struct shown *shown)
{
  const struct text_puzzle *puzzle = shown->puzzle;
  int32_t *sorted = malloc((puzzle->first[puzzle->items_count] + 1) * sizeof *sorted);
  json_t *edits = json_array();
  for (uint32_t list = 0; sorted && list < puzzle->items_count; list++)
    sort_list(actions, shown, list, sorted, edits);
  free(sorted);
  actions_add(actions, "Sort lists", "source.sortLists.catmouse", edits, 0, NULL, false);
}

void rewrites_of(struct actions *actions, const struct shown *shown)
{
  const struct text_puzzle *puzzle = shown->puzzle;
  bool graph = puzzle->has_game && puzzle->game == GAME_GRAPH;
  if (!shown_is_sound(shown))
    return;
  bool json = actions->document->bytes[shown->at + puzzle->list.at] == '[';
  if (actions_want(actions, "refactor.rewrite") && json && graph)
    rewrite_graph(actions, shown);
  if (actions_want(actions, "refactor.rewrite") && json && !graph)
    rewrite_grid(actions, shown);
  bool cheap = actions->only || puzzle->items_count <= LISTS_UNASKED_MAX;
  if (actions_want(actions, "source.sortLists.catmouse") && graph && cheap)
    sort_lists(actions, shown);
}
