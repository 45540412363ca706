/*
 * The lists of both games. A list ends with its bracket, with one that closes what is around it, or where a key
 * shows that its bracket was forgotten; what stands in it and is no item is told and passed.
 */
#include <string.h>

#include "text/reader.h"

enum { SHOWN_MAX = 40 };

static const char *shown(const struct reader *reader, struct text_span span, int *length)
{
  *length = span.length > SHOWN_MAX ? SHOWN_MAX : (int)span.length;
  return reader->scanner.bytes + span.at;
}

static bool closes_what_is_around(const struct reader *reader, char closer)
{
  for (uint32_t i = 0; i < reader->open; i++) {
    if (reader->closers[i] == closer)
      return true;
  }
  return false;
}

/* At a token that ends the list, whatever it is. True where that is the list's own bracket, or stands for it. */
static bool end_list(struct reader *reader, const struct token *open)
{
  const char opener = reader->scanner.bytes[open->span.at];
  const struct token end = reader->token;
  reader->text->awaits_more |= end.kind == TOKEN_END;
  if (end.kind != TOKEN_CLOSE ||
      (end.closer != open->closer && closes_what_is_around(reader, end.closer))) {
    fault_advise(reader_fault(reader, TEXT_UNCLOSED, open->span, "this %c is never closed", opener),
                 "write %c where the list ends", open->closer);
    return false;
  }
  if (end.closer != open->closer)
    fault_set_other(
        reader_fault(reader, TEXT_UNOPENED, end.span, "this %c closes a %c", end.closer, opener),
        open->span);
  reader_take(reader);
  return true;
}

static void pass_comma(struct reader *reader, bool expected)
{
  if (!expected)
    reader_fault(reader, TEXT_MISSING_VALUE, reader->token.span,
                 "nothing stands before this comma");
  reader_take(reader);
}

/* From the opening bracket to the end of the list, whose span goes to `span`. True where it was closed. */
static bool read_items(struct reader *reader, void (*read_item)(struct reader *reader),
                       struct text_span *span)
{
  const struct token open = reader->token;
  bool after_item = false;
  reader_take(reader);
  while (reader->token.kind != TOKEN_CLOSE && reader->token.kind != TOKEN_END &&
         !reader_at_key(reader) && !reader->failed) {
    if (reader->token.kind == TOKEN_COMMA) {
      pass_comma(reader, after_item);
      after_item = false;
      continue;
    }
    if (after_item)
      fault_advise(reader_fault(reader, TEXT_MISSING_COMMA,
                                (struct text_span){span_end(reader->last.span), 0},
                                "a comma is missing"),
                   "write a comma between two items");
    read_item(reader);
    after_item = true;
  }
  bool closed = end_list(reader, &open);
  *span = span_between(open.span, reader->last.span);
  return closed;
}

/* Notes that the item under way is not what its author meant. */
static void set_damaged(struct reader *reader)
{
  uint32_t items = reader->puzzle->items_count;
  if (items > 0 && items <= reader->damaged_room)
    reader->damaged[items - 1] = true;
}

static bool add_item(struct reader *reader, struct text_span span)
{
  struct text_puzzle *puzzle = reader->puzzle;
  const uint32_t count = puzzle->items_count;
  if (!reader_grow(reader, &puzzle->item, count, &reader->items_room, sizeof *puzzle->item) ||
      !reader_grow(reader, &reader->damaged, count, &reader->damaged_room, sizeof *reader->damaged))
    return false;
  puzzle->item[count] = span;
  reader->damaged[count] = false;
  puzzle->items_count++;
  return true;
}

/* Ends the lists of neighbours so far. */
static bool end_neighbours(struct reader *reader)
{
  struct text_puzzle *puzzle = reader->puzzle;
  if (!reader_grow(reader, &puzzle->first, puzzle->items_count, &reader->first_room,
                   sizeof *puzzle->first))
    return false;
  puzzle->first[puzzle->items_count] = reader->neighbours_count;
  return true;
}

static void add_neighbour(struct reader *reader, int32_t neighbour, struct text_span span)
{
  struct text_puzzle *puzzle = reader->puzzle;
  const uint32_t count = reader->neighbours_count;
  if (!reader_grow(reader, &puzzle->neighbour, count, &reader->neighbours_room,
                   sizeof *puzzle->neighbour) ||
      !reader_grow(reader, &puzzle->number, count, &reader->numbers_room, sizeof *puzzle->number))
    return;
  puzzle->neighbour[count] = neighbour;
  puzzle->number[count] = span;
  reader->neighbours_count++;
}

static void read_neighbour(struct reader *reader)
{
  const struct token token = reader->token;
  const struct text_span span = reader_skip_value(reader);
  int32_t neighbour;
  int length;
  if (token.kind == TOKEN_NUMBER && scan_int32(&reader->scanner, span, &neighbour)) {
    add_neighbour(reader, neighbour, span);
    return;
  }
  const uint32_t node = reader->puzzle->items_count - 1;
  const uint32_t place = reader->neighbours_count - reader->puzzle->first[node];
  const char *value = shown(reader, span, &length);
  struct text_fault *fault =
      reader_fault(reader, TEXT_NOT_A_NODE, span, "graph[%u][%u] is %.*s, not a node number", node,
                   place, length, value);
  fault->node = node;
  fault_advise(fault, "write the number of a node, counted from 0");
  set_damaged(reader);
}

static void read_neighbours(struct reader *reader)
{
  const uint32_t node = reader->puzzle->items_count;
  int length;
  if (!add_item(reader, reader->token.span))
    return;
  if (reader->token.kind == TOKEN_OPEN) {
    struct text_span span;
    if (!read_items(reader, read_neighbour, &span))
      reader->damaged[node] = true;
    reader->puzzle->item[node] = span;
  } else {
    const struct text_span span = reader_skip_value(reader);
    const char *value = shown(reader, span, &length);
    struct text_fault *fault = reader_fault(reader, TEXT_NOT_A_LIST, span,
                                            "graph[%u] is %.*s, not a list", node, length, value);
    fault->node = node;
    fault_advise(fault, "write the neighbours of node %u between brackets", node);
    reader->puzzle->item[node] = span;
    reader->damaged[node] = true;
  }
  end_neighbours(reader);
}

static void read_list(struct reader *reader, enum game game,
                      void (*read_item)(struct reader *reader))
{
  struct text_puzzle *puzzle = reader->puzzle;
  const enum text_key key = game == GAME_GRAPH ? TEXT_KEY_GRAPH : TEXT_KEY_GRID;
  const char closer = reader->token.closer;
  puzzle->has_game = true;
  puzzle->game = game;
  reader->closers[reader->open++] = closer;
  puzzle->list_closed = read_items(reader, read_item, &puzzle->list);
  reader->open--;
  puzzle->entry[key].given = true;
  puzzle->entry[key].value = puzzle->list;
  reader_extend(reader, puzzle->list);
}

void read_graph(struct reader *reader)
{
  if (end_neighbours(reader))
    read_list(reader, GAME_GRAPH, read_neighbours);
}

static void add_cell(struct reader *reader, char byte)
{
  struct text_puzzle *puzzle = reader->puzzle;
  if (!reader_grow(reader, &puzzle->cells, reader->cells_count, &reader->cells_room, 1))
    return;
  puzzle->cells[reader->cells_count++] = byte;
}

/* `span` is between the quotes, where there are some. */
static void add_row(struct reader *reader, struct text_span span, bool quoted)
{
  struct text_puzzle *puzzle = reader->puzzle;
  const uint32_t row = puzzle->items_count, before = reader->cells_count;
  if (!reader_grow(reader, &puzzle->row_length, row, &reader->lengths_room,
                   sizeof *puzzle->row_length) ||
      !add_item(reader, span))
    return;
  for (uint32_t at = span.at; at < span_end(span) && !reader->failed;) {
    char bytes[4] = {reader->scanner.bytes[at]};
    uint32_t length = 1;
    if (quoted)
      length = scan_unescape(&reader->scanner, &at, bytes);
    else
      at++;
    for (uint32_t i = 0; i < length; i++)
      add_cell(reader, bytes[i]);
  }
  puzzle->row_length[row] = reader->cells_count - before;
}

static void add_quoted_row(struct reader *reader)
{
  if (!reader->token.closed)
    reader_fault(reader, TEXT_UNCLOSED, (struct text_span){reader->token.span.at, 1},
                 "this quote is not closed on its line");
  add_row(reader, reader->token.content, true);
  if (!reader->token.closed)
    set_damaged(reader);
  reader_take(reader);
}

static void read_row(struct reader *reader)
{
  int length;
  if (reader->token.kind == TOKEN_TEXT) {
    add_quoted_row(reader);
    return;
  }
  const uint32_t row = reader->puzzle->items_count;
  const struct text_span span = reader_skip_value(reader);
  const char *value = shown(reader, span, &length);
  add_row(reader, (struct text_span){span.at, 0}, true);
  set_damaged(reader);
  struct text_fault *fault = reader_fault(reader, TEXT_NOT_A_ROW, span,
                                          "grid[%u] is %.*s, not a text", row, length, value);
  fault->node = row;
  fault_advise(fault, "write a row of cells between quotes, such as \"#C.F\"");
}

void read_grid(struct reader *reader)
{
  read_list(reader, GAME_GRID, read_row);
}

static void end_rows(struct reader *reader, uint32_t begin)
{
  struct text_puzzle *puzzle = reader->puzzle;
  puzzle->has_game = true;
  puzzle->game = GAME_GRID;
  puzzle->list_closed = true;
  puzzle->list = (struct text_span){begin, span_end(reader->last.span) - begin};
  puzzle->entry[TEXT_KEY_GRID].given = true;
  puzzle->entry[TEXT_KEY_GRID].value = puzzle->list;
  reader_extend(reader, puzzle->list);
}

void read_quoted_rows(struct reader *reader)
{
  const uint32_t begin = reader->token.span.at;
  while (reader->token.kind == TOKEN_TEXT && !reader_at_key(reader) && !reader->failed) {
    struct scanner ahead = reader->scanner;
    add_quoted_row(reader);
    if (reader->token.kind == TOKEN_COMMA && scan_token(&ahead).kind == TOKEN_COMMA &&
        scan_token(&ahead).kind == TOKEN_TEXT)
      reader_take(reader);
  }
  end_rows(reader, begin);
}

static bool is_cell(char byte)
{
  return byte != '\0' && strchr("#.CFM", byte);
}

/* The word that is all of its line, a comma or semicolon behind it apart. No length where it is no row. */
static struct text_span bare_row(const struct scanner *scanner, uint32_t at)
{
  uint32_t end = at, cells = 0;
  for (; end < scanner->length; end++) {
    char byte = scanner->bytes[end];
    if (byte == '\0' || strchr(" \t\r\n\"'`[](){}:=,;/", byte))
      break;
    cells += is_cell(byte);
  }
  uint32_t rest = end;
  while (rest < scanner->length && scanner->bytes[rest] != '\0' &&
         strchr(" \t\r,;", scanner->bytes[rest]))
    rest++;
  bool alone = rest == scanner->length || scanner->bytes[rest] == '\n';
  return (struct text_span){at, alone && 2 * cells >= end - at ? end - at : 0};
}

/* Passes the space before a row. False where no row follows. */
static bool next_bare_row(struct scanner *scanner, struct text_span *row)
{
  if (!scan_space(scanner))
    return false;
  *row = bare_row(scanner, scanner->at);
  return row->length > 0;
}

/* Walls alone are a comment's ornament. */
bool is_bare_rows(const struct scanner *scanner, uint32_t at)
{
  struct scanner ahead = *scanner;
  struct text_span row = bare_row(scanner, at);
  for (bool goes_on = row.length > 0; goes_on; goes_on = next_bare_row(&ahead, &row)) {
    for (uint32_t i = row.at; i < span_end(row); i++) {
      if (scanner->bytes[i] != '#' && is_cell(scanner->bytes[i]))
        return true;
    }
    ahead.at = scan_line_end(&ahead, span_end(row));
  }
  return false;
}

void read_bare_rows(struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  const uint32_t begin = ahead.at;
  struct text_span row = bare_row(&ahead, begin);
  do {
    add_row(reader, row, false);
    ahead.at = scan_line_end(&ahead, span_end(row));
    reader->last = (struct token){.kind = TOKEN_OTHER, .span = row};
  } while (!reader->failed && next_bare_row(&ahead, &row));
  const struct token last = reader->last;
  end_rows(reader, begin);
  reader_move(reader, span_end(last.span));
}
