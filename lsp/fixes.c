/* Repairs. Of each fault that has any, the first is the preferred one, which is among all repairs too. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lsp/actions.h"
#include "lsp/repair.h"
#include "lsp/trial.h"

enum { TITLE_MAX = 128, TRIED_MAX = 100, PATCHES_MAX = 100 };

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

/* True where it was added: what ought to list the node may be no list. */
static bool add_mirror(struct actions *actions, const struct shown *shown,
                       const struct text_fault *fault)
{
  size_t before = json_array_size(actions->list);
  char title[TITLE_MAX];
  struct repair repair;
  snprintf(title, sizeof title, "Add %" PRIu32 " to the list of %" PRIu32, fault->node,
           fault->neighbour);
  if (repair_init(&repair, shown->puzzle) == 0 && fault->neighbour < shown->puzzle->items_count &&
      repair_add(&repair, fault->neighbour, (int32_t)fault->node) == 0)
    actions_add(actions, title, "quickfix", edits_of(actions, shown, &repair), shown->at, fault,
                true);
  repair_deinit(&repair);
  return json_array_size(actions->list) > before;
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

static json_t *patch_edit(const struct actions *actions, const struct patch *patch)
{
  return edit_json(actions->document, actions->server->editor.encoding, patch->span, patch->text);
}

static void add_patch(struct actions *actions, const struct shown *shown,
                      const struct text_fault *fault)
{
  struct patch patch;
  if (patch_find(actions->document, shown, fault, &patch) && actions->tried++ < TRIED_MAX &&
      patches_help(actions->document, shown, &patch, 1))
    actions_add(actions, patch.title, "quickfix", json_pack("[o]", patch_edit(actions, &patch)),
                shown->at, fault, true);
}

void fixes_of_fault(struct actions *actions, const struct shown *shown,
                    const struct text_fault *fault)
{
  switch (fault->code) {
  case TEXT_MISSING_MIRROR:
    drop_edge(actions, shown, fault, !add_mirror(actions, shown, fault));
    break;
  case TEXT_OUT_OF_RANGE: drop_edge(actions, shown, fault, true); break;
  case TEXT_SELF_LOOP: drop_number(actions, shown, fault, "Remove the self-loop", true); break;
  case TEXT_DUPLICATE: drop_number(actions, shown, fault, "Remove the duplicate", true); break;
  default: add_patch(actions, shown, fault);
  }
}

static void repair_graph(const struct actions *actions, const struct shown *shown, json_t *edits)
{
  struct repair repair;
  if (repair_init(&repair, shown->puzzle) == 0 && repair_all(&repair) == 0)
    repair_edits(&repair, actions->document, actions->server->editor.encoding, shown->at, edits);
  repair_deinit(&repair);
}

/* Keeps patches in the order of their places; one that touches what another changes is left for the next time. */
static uint32_t add_in_order(struct patch *patch, uint32_t count, const struct patch *added)
{
  uint32_t at = count;
  while (at > 0 && patch[at - 1].span.at > added->span.at)
    at--;
  bool meets_before = at > 0 && patch[at - 1].span.at + patch[at - 1].span.length > added->span.at;
  bool meets_after = at < count && added->span.at + added->span.length > patch[at].span.at;
  if (meets_before || meets_after)
    return count;
  memmove(patch + at + 1, patch + at, (count - at) * sizeof *patch);
  patch[at] = *added;
  return count + 1;
}

static void find_patches(const struct actions *actions, const struct shown *shown,
                         const struct text_faults *faults, struct patch patch[static PATCHES_MAX],
                         uint32_t *count)
{
  struct patch found;
  for (uint32_t i = 0; i < faults->count && *count < PATCHES_MAX; i++)
    if (patch_find(actions->document, shown, &faults->fault[i], &found))
      *count = add_in_order(patch, *count, &found);
}

/* Is nothing wrong but which nodes the lists have? */
static bool edges_alone(const struct shown *shown)
{
  const struct text_faults *faults = &shown->puzzle->faults;
  for (uint32_t i = 0; i < faults->count; i++)
    if (faults->fault[i].code < TEXT_TOO_FEW_NODES || faults->fault[i].code > TEXT_MISSING_MIRROR)
      return false;
  return faults->count > 0;
}

/* What cannot be read comes first: edges that are missing are seen when their lists are whole. */
static void repair_section(const struct actions *actions, const struct section *section,
                           json_t *edits)
{
  const struct document *document = actions->document;
  const struct shown outside = {.at = section->at};
  struct patch patch[PATCHES_MAX];
  uint32_t count = 0;
  for (uint32_t i = 0; i < document->shown_count; i++) {
    const struct shown *shown = &document->shown[i];
    if (shown->at == section->at && edges_alone(shown))
      repair_graph(actions, shown, edits);
    else if (shown->at == section->at)
      find_patches(actions, shown, &shown->puzzle->faults, patch, &count);
  }
  if (document->kind != FILE_JSON)
    find_patches(actions, &outside, &section->text->faults, patch, &count);
  if (count > 1 && !patches_help(document, &outside, patch, count))
    count = 1; /* together they do not: the next one is for the next time */
  if (count == 1 && !patches_help(document, &outside, patch, count))
    count = 0;
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(edits, patch_edit(actions, &patch[i]));
}

void fixes_of_all(struct actions *actions)
{
  json_t *edits = json_array();
  const struct sections *sections = &actions->document->sections;
  for (uint32_t i = 0; i < sections->count; i++)
    repair_section(actions, &sections->section[i], edits);
  actions_add(actions, "Make all repairs", "source.fixAll.catmouse", edits, 0, NULL, false);
}
