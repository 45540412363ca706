/* Repairs. Of each fault that has any, the first is the preferred one, which is among all repairs too. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lsp/actions.h"
#include "lsp/repair.h"

enum { TITLE_MAX = 128 };

/* The number that the fault is about. */
static bool find_number(const struct text_puzzle *puzzle, const struct text_fault *fault,
                        uint32_t *number)
{
  if (puzzle->game != GAME_GRAPH || fault->node >= puzzle->items_count)
    return false;
  for (uint32_t i = puzzle->first[fault->node]; i < puzzle->first[fault->node + 1]; i++) {
    *number = i;
    if (puzzle->number[i].at == fault->span.at)
      return true;
  }
  return false;
}

static json_t *edits_of(const struct actions *actions, const struct shown *shown,
                        const struct repair *repair)
{
  json_t *edits = json_array();
  repair_edits(repair, actions->document, actions->server->editor.encoding, shown->at, edits);
  return edits;
}

static void add_mirror(struct actions *actions, const struct shown *shown,
                       const struct text_fault *fault)
{
  char title[TITLE_MAX];
  struct repair repair;
  snprintf(title, sizeof title, "Add %" PRIu32 " to the list of %" PRIu32, fault->node,
           fault->neighbour);
  if (repair_init(&repair, shown->puzzle) == 0 && fault->neighbour < shown->puzzle->items_count &&
      repair_add(&repair, fault->neighbour, (int32_t)fault->node) == 0)
    actions_add(actions, title, "quickfix", edits_of(actions, shown, &repair), shown->at, fault,
                true);
  repair_deinit(&repair);
}

static void drop_number(struct actions *actions, const struct shown *shown,
                        const struct text_fault *fault, const char *title, bool preferred)
{
  struct repair repair;
  uint32_t number;
  if (!find_number(shown->puzzle, fault, &number))
    return;
  if (repair_init(&repair, shown->puzzle) == 0) {
    repair_drop(&repair, number);
    actions_add(actions, title, "quickfix", edits_of(actions, shown, &repair), shown->at, fault,
                preferred);
  }
  repair_deinit(&repair);
}

static void drop_edge(struct actions *actions, const struct shown *shown,
                      const struct text_fault *fault, bool preferred)
{
  char title[TITLE_MAX];
  snprintf(title, sizeof title, "Drop %" PRId32 " from the list of %" PRIu32,
           (int32_t)fault->neighbour, fault->node);
  drop_number(actions, shown, fault, title, preferred);
}

/* What stands in the fault's place where one text replaces it; NULL where that is no repair. */
static const char *replacement(const struct text_fault *fault, const char **title)
{
  switch (fault->code) {
  case TEXT_UNKNOWN_CELL:
  case TEXT_DUPLICATE_MARK: *title = "Make this cell empty"; return ".";
  case TEXT_JUMP_TOO_SHORT: *title = "Make the jump 1"; return "1";
  default: return NULL;
  }
}

static json_t *replacing_edit(const struct actions *actions, const struct shown *shown,
                              const struct text_fault *fault, const char *text)
{
  return edit_json(actions->document, actions->server->editor.encoding,
                   shown_span(shown, fault->span), text);
}

void fixes_of_fault(struct actions *actions, const struct shown *shown,
                    const struct text_fault *fault)
{
  const char *title, *text = replacement(fault, &title);
  switch (fault->code) {
  case TEXT_MISSING_MIRROR:
    add_mirror(actions, shown, fault);
    drop_edge(actions, shown, fault, false);
    break;
  case TEXT_OUT_OF_RANGE: drop_edge(actions, shown, fault, true); break;
  case TEXT_SELF_LOOP: drop_number(actions, shown, fault, "Remove the self-loop", true); break;
  case TEXT_DUPLICATE: drop_number(actions, shown, fault, "Remove the duplicate", true); break;
  default:
    if (text)
      actions_add(actions, title, "quickfix",
                  json_pack("[o]", replacing_edit(actions, shown, fault, text)), shown->at, fault,
                  true);
  }
}

static void repair_graph(const struct actions *actions, const struct shown *shown, json_t *edits)
{
  struct repair repair;
  if (repair_init(&repair, shown->puzzle) == 0 && repair_all(&repair) == 0)
    repair_edits(&repair, actions->document, actions->server->editor.encoding, shown->at, edits);
  repair_deinit(&repair);
}

void fixes_of_all(struct actions *actions)
{
  json_t *edits = json_array();
  for (uint32_t i = 0; i < actions->document->shown_count; i++) {
    const struct shown *shown = &actions->document->shown[i];
    const struct text_faults *faults = &shown->puzzle->faults;
    if (faults->count > 0 && shown->puzzle->has_game && shown->puzzle->game == GAME_GRAPH)
      repair_graph(actions, shown, edits);
    for (uint32_t k = 0; k < faults->count; k++) {
      const char *title, *text = replacement(&faults->fault[k], &title);
      if (text)
        json_array_append_new(edits, replacing_edit(actions, shown, &faults->fault[k], text));
    }
  }
  actions_add(actions, "Make all repairs", "source.fixAll.catmouse", edits, 0, NULL, false);
}
