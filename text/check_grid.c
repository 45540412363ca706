/* All faults of a grid's rows and jumps. */
#include <ctype.h>
#include <string.h>

#include "text/reader.h"

struct mark {
  char cell;
  enum text_code missing;
  const char *name;
  bool found;
  struct text_span first; /* where it was found */
};

struct text_span text_cell_span(const struct text_puzzle *puzzle, const char *bytes, uint32_t row,
                                uint32_t column)
{
  const struct text_span span = puzzle->item[row];
  const struct scanner scanner = {bytes, span_end(span), 0};
  uint32_t at = span.at, passed = 0;
  if (puzzle->row_length[row] == span.length) /* no escapes */
    return (struct text_span){span.at + (column < span.length ? column : span.length),
                              column < span.length};
  while (at < span_end(span)) {
    char cell[4];
    const uint32_t begin = at;
    passed += scan_unescape(&scanner, &at, cell);
    if (passed > column)
      return (struct text_span){begin, at - begin};
  }
  return (struct text_span){at, 0};
}

static void check_rows(struct reader *reader)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  const uint32_t cells = puzzle->row_length[0];
  for (uint32_t row = 1; row < puzzle->items_count; row++) {
    if (reader->damaged[row] || reader->damaged[0] || puzzle->row_length[row] == cells)
      continue;
    struct text_fault *fault = reader_fault(reader, TEXT_RAGGED_ROW, puzzle->item[row],
                                            "grid[%u] has %u cells, but grid[0] has %u", row,
                                            puzzle->row_length[row], cells);
    fault->node = row;
    fault_set_other(fault, puzzle->item[0]);
    fault_advise(fault, "write every row with as many cells");
  }
}

static void tell_unknown(struct reader *reader, uint32_t row, uint32_t column)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  const uint8_t cell = (uint8_t)puzzle->row[row][column];
  struct text_span span = text_cell_span(puzzle, reader->scanner.bytes, row, column);
  struct text_fault *fault;
  span.length = span.length == 1 ? scan_character(&reader->scanner, span.at) : span.length;
  if (isprint(cell))
    fault = reader_fault(reader, TEXT_UNKNOWN_CELL, span,
                         "grid[%u][%u] is '%c', not one of # . C F M", row, column, cell);
  else if (cell >= 0x80 && span.length > 1)
    fault = reader_fault(reader, TEXT_UNKNOWN_CELL, span,
                         "grid[%u][%u] is '%.*s', not one of # . C F M", row, column,
                         (int)span.length, reader->scanner.bytes + span.at);
  else
    fault = reader_fault(reader, TEXT_UNKNOWN_CELL, span,
                         "grid[%u][%u] is 0x%02x, not one of # . C F M", row, column, cell);
  fault->node = row;
  fault->neighbour = column;
  fault_advise(fault, "write # for a wall, . for floor, C, M and F for cat, mouse and food");
}

static void note_mark(struct reader *reader, struct mark *mark, uint32_t row, uint32_t column)
{
  const struct text_span span = text_cell_span(reader->puzzle, reader->scanner.bytes, row, column);
  if (!mark->found) {
    mark->found = true;
    mark->first = span;
    return;
  }
  struct text_fault *fault = reader_fault(reader, TEXT_DUPLICATE_MARK, span,
                                          "a second %c at grid[%u][%u]", mark->cell, row, column);
  fault->node = row;
  fault->neighbour = column;
  fault_set_other(fault, mark->first);
  fault_advise(fault, "write . in place of one of them");
}

/* A character of several bytes is one fault. */
static void check_cells(struct reader *reader, struct mark marks[3])
{
  const struct text_puzzle *puzzle = reader->puzzle;
  for (uint32_t row = 0; row < puzzle->items_count; row++) {
    for (uint32_t column = 0; column < puzzle->row_length[row]; column++) {
      const char cell = puzzle->row[row][column];
      struct mark *mark = marks;
      while (mark < marks + 3 && mark->cell != cell)
        mark++;
      if (mark < marks + 3)
        note_mark(reader, mark, row, column);
      else if (cell != '#' && cell != '.' && ((uint8_t)cell & 0xc0) != 0x80)
        tell_unknown(reader, row, column);
    }
  }
}

static void check_jump(struct reader *reader, enum text_key key, enum player player)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  const struct text_entry *entry = &puzzle->entry[key];
  if (!entry->given || entry->value.length == 0 || puzzle->jump[player] >= 1)
    return;
  for (uint32_t i = 0; i < puzzle->faults.count; i++) {
    if (puzzle->faults.fault[i].span.at == entry->value.at)
      return; /* it could not be read */
  }
  fault_advise(reader_fault(reader, TEXT_JUMP_TOO_SHORT, entry->value,
                            "%s is %d, but must be at least 1", text_key_names[key],
                            puzzle->jump[player]),
               "write 1 or more");
}

static bool any_damaged(const struct reader *reader)
{
  for (uint32_t row = 0; row < reader->puzzle->items_count; row++) {
    if (reader->damaged[row])
      return true;
  }
  return false;
}

void check_grid(struct reader *reader)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  struct mark marks[] = {{'M', TEXT_MISSING_MOUSE, "mouse", false, {0}},
                         {'C', TEXT_MISSING_CAT, "cat", false, {0}},
                         {'F', TEXT_MISSING_FOOD, "food", false, {0}}};
  check_jump(reader, TEXT_KEY_CAT_JUMP, PLAYER_CAT);
  check_jump(reader, TEXT_KEY_MOUSE_JUMP, PLAYER_MOUSE);
  if (puzzle->items_count == 0 || puzzle->row_length[0] == 0) {
    if (puzzle->list_closed && !any_damaged(reader))
      reader_fault(reader, TEXT_EMPTY_GRID, puzzle->list, "the grid is empty");
    return;
  }
  check_rows(reader);
  check_cells(reader, marks);
  for (int i = 0; i < 3 && puzzle->list_closed && !any_damaged(reader); i++) {
    if (!marks[i].found)
      fault_advise(
          reader_fault(reader, marks[i].missing, puzzle->list, "the grid has no %c", marks[i].cell),
          "write %c in the cell of the %s", marks[i].cell, marks[i].name);
  }
}
