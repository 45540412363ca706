/*
 * graph, grid, catJump and mouseJump with their values, in an object or without one. Case and underscores in
 * their names do not matter. A key that comes twice keeps its first value.
 */
#include <strings.h>

#include "text/reader.h"

enum { NAME_ROOM = 16, SHOWN_MAX = 40 };

const char *const text_key_names[TEXT_KEYS] = {"graph", "grid", "catJump", "mouseJump"};

/* The letters of the name, small, quotes undone and underscores left out; false where they are too many. */
static bool fold(const struct scanner *scanner, const struct token *token, char name[NAME_ROOM])
{
  struct text_span span = token->kind == TOKEN_TEXT ? token->content : token->span;
  uint32_t length = 0;
  for (uint32_t at = span.at; at < span_end(span);) {
    char bytes[4];
    if (scan_unescape(scanner, &at, bytes) != 1 || bytes[0] == '\0' || length == NAME_ROOM - 1)
      return false;
    if (bytes[0] != '_')
      name[length++] = (char)(bytes[0] >= 'A' && bytes[0] <= 'Z' ? bytes[0] | 0x20 : bytes[0]);
  }
  name[length] = '\0';
  return true;
}

enum text_key key_find(const struct scanner *scanner, const struct token *token)
{
  char name[NAME_ROOM];
  enum text_key key = 0;
  if (!fold(scanner, token, name))
    return TEXT_KEYS;
  while (key < TEXT_KEYS && strcasecmp(name, text_key_names[key]) != 0)
    key++;
  return key;
}

/* How a value is quoted in a sentence: as it stands, cut where it is long. */
static int shown(const struct text_span *value)
{
  return value->length > SHOWN_MAX ? SHOWN_MAX : (int)value->length;
}

void fault_no_list(struct reader *reader, enum text_key key, struct text_span value)
{
  struct text_fault *fault =
      reader_fault(reader, TEXT_NOT_A_LIST, value, "%s is %.*s, not a list", text_key_names[key],
                   shown(&value), reader->scanner.bytes + value.at);
  fault_advise(fault, "write %s",
               key == TEXT_KEY_GRAPH
                   ? "the list of each node's neighbours, such as [[2],[3],[0,3],[1,2]]"
                   : "a list of rows, such as [\"##F\",\"#C.\",\"M..\"]");
}

static void read_list(struct reader *reader, enum text_key key)
{
  struct text_puzzle *puzzle = reader->puzzle;
  const enum game game = key == TEXT_KEY_GRAPH ? GAME_GRAPH : GAME_GRID;
  if (puzzle->has_game) {
    struct text_span span = reader_skip_value(reader);
    reader_fault(reader, TEXT_TWO_GAMES, span, "puzzle has graph and grid");
  } else if (reader->token.kind == TOKEN_OPEN && game == GAME_GRAPH) {
    read_graph(reader);
  } else if (reader->token.kind == TOKEN_OPEN) {
    read_grid(reader);
  } else {
    fault_no_list(reader, key, reader_skip_value(reader));
  }
}

static void read_jump(struct reader *reader, enum text_key key)
{
  const enum player player = key == TEXT_KEY_CAT_JUMP ? PLAYER_CAT : PLAYER_MOUSE;
  const struct token token = reader->token;
  const struct text_span value = reader_skip_value(reader);
  if (token.kind == TOKEN_NUMBER &&
      scan_int32(&reader->scanner, value, &reader->puzzle->jump[player]))
    return;
  fault_advise(reader_fault(reader, TEXT_NOT_A_JUMP, value, "%s is %.*s, not a number of cells",
                            text_key_names[key], shown(&value), reader->scanner.bytes + value.at),
               "write a whole number from 1 on");
}

/* No value stands where one was to come. */
static bool is_missing(struct reader *reader, enum text_key key, struct text_span name)
{
  const enum token_kind kind = reader->token.kind;
  if (kind != TOKEN_END && kind != TOKEN_COMMA && kind != TOKEN_CLOSE && !reader_at_key(reader))
    return false;
  reader->text->awaits_more |= kind == TOKEN_END;
  reader_fault(reader, TEXT_MISSING_VALUE, name, "%s has no value", text_key_names[key]);
  return true;
}

void read_entry(struct reader *reader, enum text_key key, struct text_span name)
{
  struct text_entry *entry = &reader->puzzle->entry[key];
  const struct text_span begin = reader->token.span;
  if (is_missing(reader, key, name)) {
    entry->given = true;
    entry->key = name;
    return;
  }
  if (entry->given) {
    fault_set_other(
        reader_fault(reader, TEXT_DUPLICATE_KEY, name, "puzzle has %s twice", text_key_names[key]),
        entry->key);
    reader_skip_value(reader);
    return;
  }
  entry->given = true;
  entry->key = name;
  if (key == TEXT_KEY_GRAPH || key == TEXT_KEY_GRID)
    read_list(reader, key);
  else
    read_jump(reader, key);
  entry->value = span_between(begin, reader->last.span);
  reader_extend(reader, name);
  reader_extend(reader, entry->value);
}

static void read_unknown(struct reader *reader, struct text_span name)
{
  fault_advise(reader_fault(reader, TEXT_UNKNOWN_KEY, name, "puzzle has an unknown key: %.*s",
                            shown(&name), reader->scanner.bytes + name.at),
               "the keys are graph, or grid, catJump and mouseJump");
  if (reader->token.kind != TOKEN_END && reader->token.kind != TOKEN_CLOSE &&
      reader->token.kind != TOKEN_COMMA)
    reader_skip_value(reader);
}

static void read_member(struct reader *reader)
{
  const struct token name = reader->token;
  const enum text_key key = key_find(&reader->scanner, &name);
  reader_take(reader);
  reader_take(reader); /* the assignment */
  if (key == TEXT_KEYS)
    read_unknown(reader, name.span);
  else
    read_entry(reader, key, name.span);
}

void read_object(struct reader *reader)
{
  const struct token open = reader->token;
  bool wants_comma = false;
  if (!reader_begin_puzzle(reader, TEXT_OBJECT))
    return;
  reader_extend(reader, open.span);
  reader->closers[reader->open++] = open.closer;
  reader_take(reader);
  while (reader->token.kind != TOKEN_CLOSE && reader->token.kind != TOKEN_END && !reader->failed) {
    const struct token token = reader->token;
    if (token.kind == TOKEN_COMMA) {
      if (!wants_comma)
        reader_fault(reader, TEXT_MISSING_VALUE, token.span, "nothing stands before this comma");
      reader_take(reader);
      wants_comma = false;
      continue;
    }
    if (wants_comma && reader->last.kind != TOKEN_COMMA)
      reader_fault(reader, TEXT_MISSING_COMMA, (struct text_span){span_end(reader->last.span), 0},
                   "a comma is missing");
    wants_comma = true;
    if (reader_at_key(reader)) {
      read_member(reader);
      continue;
    }
    struct text_span span = reader_skip_value(reader);
    reader_fault(reader, TEXT_NOT_UNDERSTOOD, span, "this is no key with a value");
  }
  reader->open--;
  reader->text->awaits_more |= reader->token.kind == TOKEN_END;
  if (reader->token.kind != TOKEN_CLOSE)
    reader_fault(reader, TEXT_UNCLOSED, open.span, "this %c is never closed",
                 reader->scanner.bytes[open.span.at]);
  else if (reader->token.closer != open.closer)
    fault_set_other(reader_fault(reader, TEXT_UNOPENED, reader->token.span, "this %c closes a %c",
                                 reader->token.closer, reader->scanner.bytes[open.span.at]),
                    open.span);
  if (reader->token.kind == TOKEN_CLOSE)
    reader_take(reader);
  reader_extend(reader, reader->last.span);
  reader_end_puzzle(reader);
}
