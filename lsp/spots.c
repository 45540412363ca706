#include "lsp/spots.h"

static bool holds(struct text_span span, uint32_t at)
{
  return at >= span.at && at <= span.at + span.length;
}

/* The last item that begins at or before `at`. */
static bool find_item(const struct text_puzzle *puzzle, uint32_t at, uint32_t *item)
{
  uint32_t low = 0, high = puzzle->has_game ? puzzle->items_count : 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (puzzle->item[middle].at <= at)
      low = middle + 1;
    else
      high = middle;
  }
  *item = low - 1;
  return low > 0 && holds(puzzle->item[low - 1], at);
}

static void find_number(const struct text_puzzle *puzzle, uint32_t at, struct spot *spot)
{
  for (uint32_t i = puzzle->first[spot->item]; i < puzzle->first[spot->item + 1]; i++) {
    int32_t node = puzzle->neighbour[i];
    if (holds(puzzle->number[i], at) && node >= 0 && (uint32_t)node < puzzle->items_count) {
      spot->kind = SPOT_NODE;
      spot->node = (uint32_t)node;
      spot->span = puzzle->number[i];
    }
  }
}

/* A cursor between two cells is on the one behind it, as editors show it. */
static void find_cell(const struct text_puzzle *puzzle, const char *bytes, uint32_t at,
                      struct spot *spot)
{
  spot->kind = SPOT_HEAD;
  for (uint32_t column = 0; column < puzzle->row_length[spot->item]; column++) {
    struct text_span cell = text_cell_span(puzzle, bytes, spot->item, column);
    if (at < cell.at || at >= cell.at + cell.length)
      continue;
    spot->kind = SPOT_CELL;
    spot->node = spot->item * puzzle->row_length[0] + column;
    spot->span = cell;
    return;
  }
}

struct spot spot_at(const struct document *document, const struct shown *shown, uint32_t offset)
{
  const struct text_puzzle *puzzle = shown->puzzle;
  struct spot spot = {.span = puzzle->span};
  uint32_t at = offset - shown->at;
  if (find_item(puzzle, at, &spot.item)) {
    spot.kind = SPOT_LIST;
    spot.node = spot.item;
    spot.span = puzzle->item[spot.item];
    if (puzzle->game == GAME_GRAPH)
      find_number(puzzle, at, &spot);
    else
      find_cell(puzzle, document->bytes + shown->at, at, &spot);
  }
  spot.span = shown_span(shown, spot.span);
  return spot;
}
