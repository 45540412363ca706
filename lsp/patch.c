#include "lsp/patch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What is being mended: the fault, and the bytes that its spans count from. */
struct broken {
  const struct text_puzzle *puzzle; /* or NULL */
  const struct text_fault *fault;
  const char *bytes;
  uint32_t length;
  bool has_margin; /* of the section */
};

static void __attribute__((format(printf, 2, 3)))
entitle(struct patch *patch, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(patch->title, sizeof patch->title, format, arguments);
  va_end(arguments);
}

static uint32_t end_of(struct text_span span)
{
  return span.at + span.length;
}

static bool insert(struct patch *patch, uint32_t at, const char *text)
{
  patch->span = (struct text_span){at, 0};
  snprintf(patch->text, sizeof patch->text, "%s", text);
  return true;
}

static bool replace(struct patch *patch, struct text_span span, char with)
{
  patch->span = span;
  patch->text[0] = with;
  patch->text[1] = '\0';
  return true;
}

static bool is_blank(char byte)
{
  return byte != '\0' && strchr(" \t\r\n", byte);
}

static char closer_of(char opener)
{
  return opener == '[' ? ']' : opener == '(' ? ')' : '}';
}

/* An item goes with the comma before it, the first one with the comma behind it. */
static bool drop_item(const struct broken *broken, struct text_span item, struct patch *patch)
{
  uint32_t begin = item.at, end = end_of(item);
  while (begin > 0 && is_blank(broken->bytes[begin - 1]))
    begin--;
  if (begin > 0 && broken->bytes[begin - 1] == ',') {
    begin--;
  } else {
    begin = item.at;
    while (end < broken->length && is_blank(broken->bytes[end]))
      end++;
    if (end < broken->length && broken->bytes[end] == ',')
      end++;
    while (end < broken->length && is_blank(broken->bytes[end]))
      end++;
  }
  patch->span = (struct text_span){begin, end - begin};
  entitle(patch, "Drop it from the list");
  return true;
}

/* A number between quotes loses them; anything else is dropped. */
static bool mend_node(const struct broken *broken, struct patch *patch)
{
  struct text_span span = broken->fault->span;
  const char *value = broken->bytes + span.at;
  uint32_t digits = 1;
  while (digits < span.length && isdigit((unsigned char)value[digits]))
    digits++;
  if (digits < 2 || digits + 1 != span.length || span.length > 12 || !strchr("\"'", value[0]))
    return drop_item(broken, span, patch);
  patch->span = span;
  snprintf(patch->text, sizeof patch->text, "%.*s", (int)digits - 1, value + 1);
  entitle(patch, "Write %s without quotes", patch->text);
  return true;
}

/* A node by itself stands for a list of one, anything else for none. */
static bool mend_list(const struct broken *broken, struct patch *patch)
{
  const struct text_puzzle *puzzle = broken->puzzle;
  struct text_span span = broken->fault->span;
  uint32_t digits = 0;
  while (digits < span.length && isdigit((unsigned char)broken->bytes[span.at + digits]))
    digits++;
  bool node = digits == span.length && digits < 12;
  patch->span = span;
  snprintf(patch->text, sizeof patch->text, "[%.*s]", node ? (int)digits : 0,
           broken->bytes + span.at);
  entitle(patch, "Write %s here", patch->text);
  return puzzle->has_game && span.at > puzzle->list.at;
}

/* Of a fault that says which bracket is meant, its closing one. */
static bool mend_closer(const struct broken *broken, struct patch *patch)
{
  const struct text_fault *fault = broken->fault;
  if (!fault->has_other) {
    patch->span = fault->span;
    entitle(patch, "Remove the %c", broken->bytes[fault->span.at]);
    return true;
  }
  replace(patch, fault->span, closer_of(broken->bytes[fault->other.at]));
  entitle(patch, "Write %s here", patch->text);
  return true;
}

static bool is_quote(char byte)
{
  return byte == '"' || byte == '\'' || byte == '`';
}

/* The first quote of a row that is never closed, or NULL. */
static const struct text_fault *open_quote(const struct text_puzzle *puzzle, const char *bytes)
{
  for (uint32_t i = 0; i < puzzle->faults.count; i++) {
    const struct text_fault *fault = &puzzle->faults.fault[i];
    if (fault->code == TEXT_UNCLOSED && is_quote(bytes[fault->span.at]))
      return fault;
  }
  return NULL;
}

/* Where the cells of a row end: what stands behind them belongs behind its quote. */
static uint32_t cells_end(const struct broken *broken, uint32_t row)
{
  uint32_t at = broken->puzzle->item[row].at, end = end_of(broken->puzzle->item[row]);
  while (at < end && !strchr(" \t\r,;])}", broken->bytes[at]))
    at++;
  return at;
}

/* The quote is missing in the first row that has more than cells, which ran on to the next quote; or in the last. */
static bool close_quote(const struct broken *broken, struct patch *patch)
{
  const struct text_puzzle *puzzle = broken->puzzle;
  uint32_t row = 0;
  if (!puzzle->has_game || puzzle->game != GAME_GRID || puzzle->items_count == 0)
    return false;
  while (row + 1 < puzzle->items_count && cells_end(broken, row) == end_of(puzzle->item[row]))
    row++;
  const char quote[] = {broken->bytes[broken->fault->span.at], '\0'};
  entitle(patch, "Close the quote");
  return insert(patch, cells_end(broken, row), quote);
}

/* The outermost bracket is closed where the puzzle ends, an object's once its list is. */
static bool close_end(const struct broken *broken, struct patch *patch)
{
  const struct text_puzzle *puzzle = broken->puzzle;
  const struct text_fault *fault = broken->fault;
  bool is_list = puzzle->has_game && fault->span.at == puzzle->list.at;
  bool is_object = puzzle->form == TEXT_OBJECT && fault->span.at == puzzle->span.at;
  if (is_quote(broken->bytes[fault->span.at]))
    return close_quote(broken, patch);
  if (!is_list && !(is_object && puzzle->list_closed))
    return false;
  const char closer[] = {closer_of(broken->bytes[fault->span.at]), '\0'};
  entitle(patch, "Write the %s that is missing", closer);
  return insert(patch, end_of(is_list ? puzzle->list : puzzle->span), closer);
}

static bool mend_cell(const struct broken *broken, struct patch *patch)
{
  const struct text_fault *fault = broken->fault;
  char cell = (char)toupper((unsigned char)broken->bytes[fault->span.at]);
  bool small = fault->code == TEXT_UNKNOWN_CELL && cell != '\0' && strchr("CFM", cell);
  if (small)
    entitle(patch, "Write %c", cell);
  else
    entitle(patch, "Make this cell empty");
  return replace(patch, fault->span, small ? cell : '.');
}

/* Cells of a row as one counts them: a character of several bytes is one. */
static uint32_t count_cells(const struct text_puzzle *puzzle, uint32_t row)
{
  uint32_t cells = 0;
  for (uint32_t i = 0; i < puzzle->row_length[row]; i++)
    cells += ((uint8_t)puzzle->row[row][i] & 0xc0) != 0x80;
  return cells;
}

/* A short row gets floor, a long one loses its last cells. */
static bool mend_row(const struct broken *broken, struct patch *patch)
{
  const struct text_puzzle *puzzle = broken->puzzle;
  uint32_t row = broken->fault->node, end = end_of(puzzle->item[row]);
  uint32_t has = count_cells(puzzle, row), wanted = count_cells(puzzle, 0);
  uint32_t change = has < wanted ? wanted - has : has - wanted;
  bool plain = has == puzzle->row_length[row] && has == puzzle->item[row].length;
  if (change == 0 || change >= PATCH_MAX || (has > wanted && !plain))
    return false;
  if (change == 1)
    entitle(patch, has < wanted ? "Add an empty cell" : "Drop the last cell");
  else
    entitle(patch, has < wanted ? "Add %" PRIu32 " empty cells" : "Drop the last %" PRIu32 " cells",
            change);
  patch->span =
      has < wanted ? (struct text_span){end, 0} : (struct text_span){end - change, change};
  memset(patch->text, '.', change);
  patch->text[has < wanted ? change : 0] = '\0';
  return true;
}

/* Faults of these codes that come before this one. */
static uint32_t count_before(const struct broken *broken, enum text_code first, enum text_code last)
{
  uint32_t count = 0;
  for (const struct text_fault *at = broken->puzzle->faults.fault; at < broken->fault; at++)
    count += at->code >= first && at->code <= last;
  return count;
}

static bool has_cell(const struct text_puzzle *puzzle, char cell)
{
  for (uint32_t row = 0; row < puzzle->items_count; row++)
    if (memchr(puzzle->row[row], cell, puzzle->row_length[row]))
      return true;
  return false;
}

/*
 * In the first empty cell, in the second one where another mark is missing too, and so on. A small letter is what was
 * meant, and mended where it stands.
 */
static bool place_mark(const struct broken *broken, char mark, const char *name,
                       struct patch *patch)
{
  const struct text_puzzle *puzzle = broken->puzzle;
  uint32_t passed = count_before(broken, TEXT_MISSING_MOUSE, TEXT_MISSING_FOOD);
  uint32_t cols = puzzle->row_length[0];
  if (has_cell(puzzle, (char)tolower((unsigned char)mark)))
    return false;
  for (uint32_t row = 0; row < puzzle->items_count; row++) {
    for (uint32_t column = 0; column < puzzle->row_length[row] && column < cols; column++) {
      if (puzzle->row[row][column] != '.' || passed-- > 0)
        continue;
      entitle(patch, "Put the %s at %" PRIu32 ":%" PRIu32, name, row, column);
      return replace(patch, text_cell_span(puzzle, broken->bytes, row, column), mark);
    }
  }
  return false;
}

/* As the keys that are there are written. */
static bool add_jump(const struct broken *broken, struct patch *patch)
{
  const struct text_puzzle *puzzle = broken->puzzle;
  uint32_t passed = count_before(broken, TEXT_MISSING_JUMP, TEXT_MISSING_JUMP), end = 0;
  enum text_key key = TEXT_KEY_CAT_JUMP;
  while (key < TEXT_KEYS && (puzzle->entry[key].given || passed-- > 0))
    key++;
  if (key == TEXT_KEYS)
    return false;
  for (int i = 0; i < TEXT_KEYS; i++)
    if (puzzle->entry[i].given && end_of(puzzle->entry[i].value) > end)
      end = end_of(puzzle->entry[i].value);
  char opener = broken->bytes[puzzle->entry[TEXT_KEY_GRID].key.at], text[PATCH_MAX];
  const char *quote = opener == '"' ? "\"" : opener == '\'' ? "'" : "";
  if (puzzle->form == TEXT_OBJECT)
    snprintf(text, sizeof text, ", %s%s%s: 1", quote, text_key_names[key], quote);
  else if (puzzle->form == TEXT_ASSIGNED)
    snprintf(text, sizeof text, ", %s = 1", text_key_names[key]);
  else
    snprintf(text, sizeof text, broken->has_margin ? " 1" : "\n1");
  entitle(patch, "Add %s 1", text_key_names[key]);
  return insert(patch, end, text);
}

static bool mend(const struct broken *broken, struct patch *patch)
{
  const struct text_fault *fault = broken->fault;
  switch (fault->code) {
  case TEXT_MISSING_COMMA:
    entitle(patch, "Write a comma");
    return insert(patch, fault->span.at, ",");
  case TEXT_MISSING_VALUE:
    entitle(patch, "Remove the comma");
    patch->span = fault->span;
    return broken->bytes[fault->span.at] == ',';
  case TEXT_UNOPENED: return mend_closer(broken, patch);
  case TEXT_JUMP_TOO_SHORT:
  case TEXT_NOT_A_JUMP: entitle(patch, "Make the jump 1"); return replace(patch, fault->span, '1');
  default: break;
  }
  if (!broken->puzzle)
    return false;
  switch (fault->code) {
  case TEXT_UNCLOSED: return close_end(broken, patch);
  case TEXT_NOT_A_LIST: return mend_list(broken, patch);
  case TEXT_NOT_A_NODE: return mend_node(broken, patch);
  case TEXT_UNKNOWN_CELL:
  case TEXT_DUPLICATE_MARK: return mend_cell(broken, patch);
  case TEXT_RAGGED_ROW: return mend_row(broken, patch);
  case TEXT_MISSING_MOUSE: return place_mark(broken, 'M', "mouse", patch);
  case TEXT_MISSING_CAT: return place_mark(broken, 'C', "cat", patch);
  case TEXT_MISSING_FOOD: return place_mark(broken, 'F', "food", patch);
  case TEXT_MISSING_JUMP: return add_jump(broken, patch);
  default: return false;
  }
}

/* Where a quote is missing, all that follows is read the wrong way round. */
bool patch_find(const struct document *document, const struct shown *shown,
                const struct text_fault *fault, struct patch *patch)
{
  const struct section *section = document_section(document, shown);
  const struct broken broken = {shown->puzzle, fault, document_plain(document) + shown->at,
                                section->length, section->has_margin};
  const struct text_fault *quote = shown->puzzle ? open_quote(shown->puzzle, broken.bytes) : NULL;
  *patch = (struct patch){.code = fault->code};
  if ((quote && quote != fault) || !mend(&broken, patch))
    return false;
  patch->span = shown_span(shown, patch->span);
  return true;
}
