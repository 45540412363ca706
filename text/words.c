/*
 * Words outside of any list: keys with what various languages write before and behind them, the headings of the
 * problem page, calls. The rest of a line that begins with another word is told and passed.
 */
#include <string.h>
#include <strings.h>

#include "text/reader.h"

enum heading {
  HEADING_NONE,
  HEADING_NAME,   /* a number may follow, and a colon */
  HEADING_ANSWER, /* a value follows that is none of a puzzle */
  HEADING_LINE,   /* the rest of the line */
  HEADING_PROSE,  /* all until something else begins */
};

static const struct {
  const char *word;
  enum heading heading;
} headings[] = {
    {"input", HEADING_NAME},      {"example", HEADING_NAME},      {"case", HEADING_NAME},
    {"test", HEADING_NAME},       {"testcase", HEADING_NAME},     {"output", HEADING_ANSWER},
    {"expected", HEADING_ANSWER}, {"answer", HEADING_ANSWER},     {"result", HEADING_ANSWER},
    {"runtime", HEADING_LINE},    {"memory", HEADING_LINE},       {"accepted", HEADING_LINE},
    {"stdout", HEADING_LINE},     {"explanation", HEADING_PROSE}, {"constraints", HEADING_PROSE},
    {"note", HEADING_PROSE},      {"hint", HEADING_PROSE},
};

static enum heading heading_of(const struct reader *reader, const struct token *token)
{
  const char *word = reader->scanner.bytes + token->span.at;
  if (token->kind != TOKEN_WORD)
    return HEADING_NONE;
  for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
    if (strlen(headings[i].word) == token->span.length &&
        strncasecmp(word, headings[i].word, token->span.length) == 0)
      return headings[i].heading;
  }
  return HEADING_NONE;
}

static void skip_line(struct reader *reader)
{
  reader_move(reader, scan_line_end(&reader->scanner, span_end(reader->token.span)));
}

/* Does the line that `ahead` stands at begin as something else than prose? */
static bool ends_prose(const struct reader *reader, struct scanner ahead)
{
  if (is_bare_rows(&ahead, ahead.at))
    return true;
  struct token first = scan_token(&ahead);
  if (first.kind == TOKEN_END || first.kind == TOKEN_OPEN || first.kind == TOKEN_TEXT)
    return true;
  return heading_of(reader, &first) != HEADING_NONE ||
         (key_find(&ahead, &first) != TEXT_KEYS && scan_token(&ahead).kind == TOKEN_ASSIGN);
}

static void skip_prose(struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  do {
    ahead.at = scan_line_end(&ahead, ahead.at);
    scan_space(&ahead);
  } while (!ends_prose(reader, ahead));
  reader_move(reader, ahead.at);
}

static void read_heading(struct reader *reader, enum heading heading)
{
  if (heading == HEADING_PROSE) {
    skip_prose(reader);
    return;
  }
  if (heading == HEADING_LINE) {
    skip_line(reader);
    return;
  }
  reader_take(reader);
  if (heading == HEADING_NAME && reader->token.kind == TOKEN_WORD &&
      heading_of(reader, &reader->token) == HEADING_NAME)
    reader_take(reader); /* "test case" */
  struct scanner ahead = reader->scanner;
  if (heading == HEADING_NAME && reader->token.kind == TOKEN_NUMBER &&
      (scan_token(&ahead).kind == TOKEN_ASSIGN ||
       scan_line_end(&reader->scanner, reader->token.span.at) <= reader->scanner.at + 1))
    reader_take(reader);
  if (reader->token.kind == TOKEN_ASSIGN)
    reader_take(reader);
  if (heading == HEADING_ANSWER &&
      (reader->token.kind == TOKEN_NUMBER ||
       (reader->token.kind == TOKEN_WORD && heading_of(reader, &reader->token) == HEADING_NONE &&
        key_find(&reader->scanner, &reader->token) == TEXT_KEYS)))
    reader_take(reader);
}

/* What may stand between a type's name and the thing that it is the type of. */
static bool is_of_type(char byte)
{
  return byte != '\0' && (strchr("_<>&*.: \t", byte) || (byte >= '0' && byte <= '9') ||
                          ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'));
}

/* Passes int[][], vector<vector<int>>, List[List[int]] and their like; stands at what follows. */
static uint32_t type_end(const struct scanner *scanner, uint32_t at)
{
  for (;; at++) {
    char byte = scan_byte(scanner, at), next = scan_byte(scanner, at + 1);
    if (is_of_type(byte) || (byte == ',' && next != '\0' && strchr(" \t<>", next)))
      continue;
    if (byte == '[' && next == ']')
      at++;
    else
      return at;
  }
}

/* `text` names where the assignment's "=" stands behind the type that `at` begins with; 0 for nowhere. */
static uint32_t annotation_end(const struct scanner *scanner, uint32_t at)
{
  const uint32_t line_end = scan_line_end(scanner, at);
  uint32_t depth = 0;
  for (; at < line_end; at++) {
    char byte = scanner->bytes[at];
    if (byte == '=' && depth == 0)
      return at;
    if (byte == '[')
      depth++;
    else if (byte == ']' && depth > 0)
      depth--;
    else if (!is_of_type(byte) && byte != ',')
      return 0;
  }
  return 0;
}

/* Stands at the value: past the assignment, or past the type that stands in its place or behind it. */
static void pass_assignment(struct reader *reader)
{
  if (reader->token.kind == TOKEN_ASSIGN) {
    const char assign = reader->scanner.bytes[reader->token.span.at];
    reader_take(reader);
    uint32_t end = assign == ':' && reader->token.kind == TOKEN_WORD
                       ? annotation_end(&reader->scanner, reader->token.span.at)
                       : 0;
    if (end > 0)
      reader_move(reader, end + 1);
  }
  if (reader->token.kind != TOKEN_WORD || key_find(&reader->scanner, &reader->token) != TEXT_KEYS)
    return;
  uint32_t end = type_end(&reader->scanner, reader->token.span.at);
  char byte = scan_byte(&reader->scanner, end);
  if (byte == '[' || byte == '{' || byte == '(')
    reader_move(reader, end);
}

static bool begins_rows(struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  ahead.at = span_end(reader->last.span);
  if (!scan_space(&ahead) || !is_bare_rows(&ahead, ahead.at))
    return false;
  reader->scanner.at = ahead.at;
  return true;
}

/* A list begins a puzzle unless the one before has jumps alone; a jump joins what has none of its kind. */
static bool join_puzzle(struct reader *reader, enum text_key key)
{
  const struct text_puzzle *puzzle = reader->puzzle;
  const bool is_list = key == TEXT_KEY_GRAPH || key == TEXT_KEY_GRID;
  const bool joins = puzzle && (is_list ? !puzzle->has_game
                                        : !puzzle->entry[key].given &&
                                              !(puzzle->has_game && puzzle->game == GAME_GRAPH));
  return joins || reader_begin_puzzle(reader, TEXT_ASSIGNED);
}

static void read_key(struct reader *reader, enum text_key key)
{
  const struct text_span name = reader->token.span;
  if (!join_puzzle(reader, key))
    return;
  reader_take(reader);
  pass_assignment(reader);
  if (key == TEXT_KEY_GRID && begins_rows(reader)) {
    reader->puzzle->form = TEXT_ROWS;
    read_bare_rows(reader);
    reader->puzzle->entry[key].key = name;
    reader->puzzle->span = span_between(name, reader->puzzle->span);
  } else if (key == TEXT_KEY_GRID && reader->token.kind == TOKEN_TEXT && !reader_at_key(reader)) {
    read_quoted_rows(reader);
    reader->puzzle->entry[key].key = name;
  } else {
    read_entry(reader, key, name);
  }
}

/* Does the key begin here what it is the key of, rather than stand in a sentence? */
static bool is_assigned(const struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  struct token next = scan_token(&ahead);
  return next.kind == TOKEN_ASSIGN || next.kind == TOKEN_OPEN || next.kind == TOKEN_NUMBER ||
         next.kind == TOKEN_TEXT;
}

/*
 * At the word of a declaration such as "vector<vector<int>> graph = ...": goes to the name before the "=".
 * False where the line has none.
 */
static bool find_name(struct reader *reader, struct token *name)
{
  const struct scanner *scanner = &reader->scanner;
  uint32_t begin, end = type_end(scanner, reader->token.span.at);
  if (scan_byte(scanner, end) != '=')
    return false;
  while (end > reader->token.span.at && strchr(" \t", scanner->bytes[end - 1]))
    end--;
  for (begin = end; begin > reader->token.span.at && is_of_type(scanner->bytes[begin - 1]) &&
                    !strchr("<>&*.: \t", scanner->bytes[begin - 1]);)
    begin--;
  *name = (struct token){.kind = TOKEN_WORD, .span = {begin, end - begin}};
  return end > begin;
}

/* Of a name that is no key, a list shows what it is; anything else may be a key mistyped. */
static bool read_declaration(struct reader *reader)
{
  struct token name;
  if (!find_name(reader, &name))
    return false;
  if (key_find(&reader->scanner, &name) != TEXT_KEYS) {
    reader_move(reader, name.span.at);
    read_key(reader, key_find(&reader->scanner, &reader->token));
    return true;
  }
  struct scanner ahead = {reader->scanner.bytes, reader->scanner.length, span_end(name.span)};
  scan_token(&ahead);
  struct token value = scan_token(&ahead);
  if (value.kind != TOKEN_OPEN && (value.kind != TOKEN_WORD || scan_byte(&ahead, ahead.at) != '('))
    return false;
  reader_move(reader, value.span.at);
  return true;
}

/* A call's name with what may stand before it, "assert solution.f(", and its arguments' bracket. */
static bool read_call(struct reader *reader)
{
  const struct scanner *scanner = &reader->scanner;
  const uint32_t end = type_end(scanner, reader->token.span.at);
  const char before = scanner->bytes[end - 1];
  if (scan_byte(scanner, end) != '(' || before == ' ' || before == '\t' ||
      reader->open >= BRACKETS_MAX - 3)
    return false;
  reader->closers[reader->open++] = ')';
  reader_move(reader, end + 1);
  return true;
}

void read_word(struct reader *reader)
{
  const enum text_key key = key_find(&reader->scanner, &reader->token);
  const enum heading heading = heading_of(reader, &reader->token);
  if (key != TEXT_KEYS && is_assigned(reader)) {
    read_key(reader, key);
    return;
  }
  if (heading != HEADING_NONE) {
    read_heading(reader, heading);
    return;
  }
  if (read_declaration(reader) || read_call(reader))
    return;
  const uint32_t at = reader->token.span.at;
  struct text_span rest = {at, scan_line_end(&reader->scanner, at) - at};
  while (rest.length > 1 && strchr(" \t\r", reader->scanner.bytes[span_end(rest) - 1]))
    rest.length--;
  fault_advise(
      reader_stray(reader, TEXT_NOT_UNDERSTOOD, rest, "this is no part of a puzzle"),
      "write what is no puzzle behind # or //; keys are graph, grid, catJump and mouseJump");
  reader_move(reader, span_end(rest));
}
