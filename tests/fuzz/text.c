/*
 * Puzzle text as people write it: read whatever the bytes, its places within them, and a puzzle without faults
 * taken by the solver.
 */
#include "text/text.h"
#include "solver/arena.h"
#include "tests/fuzz/target.h"

static void check_span(struct text_span span, size_t length)
{
  MUST(span.at <= length && span.length <= length - span.at);
}

static void check_faults(const struct text_faults *faults, size_t length)
{
  MUST(faults->count <= TEXT_FAULTS_MAX);
  for (uint32_t i = 0; i < faults->count; i++) {
    check_span(faults->fault[i].span, length);
    check_span(faults->fault[i].other, length);
    MUST(faults->fault[i].sentence[0]);
  }
}

static void check_items(const struct text_puzzle *puzzle, const char *bytes, size_t length)
{
  for (uint32_t item = 0; item < puzzle->items_count; item++) {
    check_span(puzzle->item[item], length);
    for (uint32_t i = 0; puzzle->game == GAME_GRAPH && i < puzzle->first[item + 1]; i++)
      check_span(puzzle->number[i], length);
    for (uint32_t column = 0;
         puzzle->game == GAME_GRID && column < puzzle->row_length[item] && column < 8; column++)
      check_span(text_cell_span(puzzle, bytes, item, column), length);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct complaint complaint;
  struct arena *arena;
  struct text *text;
  MUST(text_read((const char *)bytes, length, &text) == 0);
  check_faults(&text->faults, length);
  for (uint32_t i = 0; i < text->puzzles_count; i++) {
    const struct text_puzzle *puzzle = &text->puzzles[i];
    check_span(puzzle->span, length);
    check_faults(&puzzle->faults, length);
    if (puzzle->has_game)
      check_items(puzzle, (const char *)bytes, length);
    if (puzzle->faults.count == 0) {
      MUST(arena_new(&puzzle->puzzle, &arena, &complaint) == 0);
      arena_free(arena);
    }
  }
  MUST(text->puzzles_count > 0 || text_first_fault(text));
  text_free(text);
  return 0;
}
