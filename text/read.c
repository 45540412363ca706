/*
 * The text from its first byte to its last: what stands outside of any bracket is told by its first word and
 * goes to the puzzle it belongs to. A key that the puzzle has already, or another list, begins the next one.
 *
 * Whatever is not understood becomes a fault with its place and is passed; brackets are never nested deeper
 * than the reader goes, so that no text exhausts the stack. Out of memory ends the reading.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/reader.h"

static bool has_list(const struct reader *reader)
{
  return reader->puzzle && reader->puzzle->has_game;
}

static enum token_kind kind_ahead(struct scanner *ahead)
{
  return scan_token(ahead).kind;
}

/* Is the open bracket an object's? At an empty one nothing tells: then it is no list. */
static bool begins_object(const struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  if (reader->token.closer != '}')
    return false;
  const struct token first = scan_token(&ahead);
  if (first.kind == TOKEN_TEXT || first.kind == TOKEN_WORD)
    return key_find(&ahead, &first) != TEXT_KEYS || scan_token(&ahead).kind == TOKEN_ASSIGN;
  return first.kind == TOKEN_CLOSE || first.kind == TOKEN_END;
}

/* Brackets round whole puzzles: a list of them, or the arguments of a call. */
static bool begins_wrapper(const struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  struct token first = scan_token(&ahead);
  if (first.kind != TOKEN_OPEN)
    return false;
  struct token second = scan_token(&ahead);
  if (second.kind == TOKEN_OPEN)
    return true;
  return second.kind == TOKEN_TEXT || (second.kind == TOKEN_WORD && first.closer == '}');
}

static void read_bare_list(struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  bool is_grid = kind_ahead(&ahead) == TOKEN_TEXT;
  if ((has_list(reader) || !reader->puzzle || !is_grid) &&
      !reader_begin_puzzle(reader, is_grid ? TEXT_BOX : TEXT_LIST))
    return;
  if (is_grid)
    read_grid(reader);
  else
    read_graph(reader);
}

static void read_bracket(struct reader *reader)
{
  if (begins_object(reader)) {
    read_object(reader);
  } else if (begins_wrapper(reader) && reader->open < BRACKETS_MAX - 3) {
    reader->closers[reader->open++] = reader->token.closer;
    reader_take(reader);
  } else {
    read_bare_list(reader);
  }
}

static void read_closer(struct reader *reader)
{
  if (reader->open > 0 && reader->closers[reader->open - 1] == reader->token.closer)
    reader->open--;
  else
    reader_stray(reader, TEXT_UNOPENED, reader->token.span, "this %c closes nothing",
                 reader->token.closer);
  reader_take(reader);
}

/* The jumps of a box: the cat's, then the mouse's. */
static void read_number(struct reader *reader)
{
  struct text_puzzle *puzzle = reader->puzzle;
  const struct text_span span = reader->token.span;
  if (has_list(reader) && puzzle->game == GAME_GRID) {
    for (enum text_key key = TEXT_KEY_CAT_JUMP; key < TEXT_KEYS; key++) {
      if (!puzzle->entry[key].given) {
        read_entry(reader, key, (struct text_span){span.at, 0});
        return;
      }
    }
  }
  struct text_fault *fault =
      reader_stray(reader, TEXT_NOT_UNDERSTOOD, span, "the number %.*s belongs to no puzzle",
                   span.length > 20 ? 20 : (int)span.length, reader->scanner.bytes + span.at);
  fault_advise(fault, "numbers stand in a list, or behind a grid: its catJump, then its mouseJump");
  reader_take(reader);
}

/* The rest of a line that is no part of any form. */
static void read_other(struct reader *reader)
{
  const uint32_t at = reader->token.span.at;
  struct text_span rest = {at, scan_line_end(&reader->scanner, at) - at};
  reader_stray(reader, TEXT_NOT_UNDERSTOOD, rest, "this is no part of a puzzle");
  reader_move(reader, span_end(rest));
}

/* A key without brackets round it, or a row of a grid. */
static void read_quoted(struct reader *reader)
{
  if (reader_at_key(reader)) {
    if (key_find(&reader->scanner, &reader->token) != TEXT_KEYS)
      read_word(reader);
    else
      read_other(reader);
    return;
  }
  if ((!reader->puzzle || has_list(reader)) && !reader_begin_puzzle(reader, TEXT_ROWS))
    return;
  read_quoted_rows(reader);
}

/* Between what a call returns and the next call on it. */
static bool is_chain(const struct reader *reader)
{
  return reader->last.kind == TOKEN_CLOSE &&
         scan_byte(&reader->scanner, reader->token.span.at) == '.';
}

static void read_next(struct reader *reader)
{
  switch (reader->token.kind) {
  case TOKEN_OPEN: read_bracket(reader); break;
  case TOKEN_CLOSE: read_closer(reader); break;
  case TOKEN_COMMA: reader_take(reader); break;
  case TOKEN_NUMBER: read_number(reader); break;
  case TOKEN_TEXT: read_quoted(reader); break;
  case TOKEN_WORD: read_word(reader); break;
  default:
    if (is_chain(reader))
      reader_take(reader);
    else
      read_other(reader);
  }
}

/* Bare rows are seen before their first byte could be taken for a comment. */
static bool at_bare_rows(struct reader *reader)
{
  struct scanner ahead = reader->scanner;
  ahead.at = reader->last.kind == TOKEN_END ? 0 : span_end(reader->last.span);
  do {
    if (scan_space(&ahead) && is_bare_rows(&ahead, ahead.at)) {
      reader->scanner.at = ahead.at;
      return true;
    }
  } while (scan_comment(&ahead));
  return false;
}

static void read_all(struct reader *reader)
{
  reader_take(reader);
  reader->last = (struct token){0};
  for (;;) {
    if (at_bare_rows(reader)) {
      if ((!reader->puzzle || has_list(reader)) && !reader_begin_puzzle(reader, TEXT_ROWS))
        return;
      read_bare_rows(reader);
    } else if (reader->token.kind == TOKEN_END || reader->failed) {
      break;
    } else {
      read_next(reader);
    }
  }
  reader->text->awaits_more |= reader->open > 0;
  if (reader->open > 0)
    reader_stray(reader, TEXT_UNCLOSED, reader->token.span, "a %c is missing at the end",
                 reader->closers[reader->open - 1]);
  if (has_list(reader) && reader->puzzle->game == GAME_GRID)
    reader->text->awaits_more |= !reader->puzzle->entry[TEXT_KEY_CAT_JUMP].given ||
                                 !reader->puzzle->entry[TEXT_KEY_MOUSE_JUMP].given;
  reader_end_puzzle(reader);
}

static void check_whole(struct reader *reader)
{
  struct text *text = reader->text;
  if (text->puzzles_count == 0 && text->faults.count == 0)
    fault_advise(reader_fault(reader, TEXT_NO_PUZZLE, (struct text_span){0}, "there is no puzzle"),
                 "write a graph such as [[2],[3],[0,3],[1,2]], or a grid with its two jumps");
  faults_sort(&text->faults);
}

int text_read(const char *bytes, size_t length, struct text **text)
{
  struct reader reader = {.text = calloc(1, sizeof **text)};
  if (!reader.text)
    return -ENOMEM;
  reader.scanner = (struct scanner){bytes, (uint32_t)length, 0};
  if (length >= UINT32_MAX)
    reader_fault(&reader, TEXT_TOO_LONG, (struct text_span){0}, "the text has 4 GiB or more");
  else
    read_all(&reader);
  if (!reader.failed)
    check_whole(&reader);
  free(reader.damaged);
  if (reader.failed) {
    text_free(reader.text);
    return -ENOMEM;
  }
  *text = reader.text;
  return 0;
}

static void free_puzzle(struct text_puzzle *puzzle)
{
  free(puzzle->item);
  free(puzzle->first);
  free(puzzle->neighbour);
  free(puzzle->number);
  free(puzzle->row);
  free(puzzle->row_length);
  free(puzzle->cells);
  free(puzzle->faults.fault);
}

void text_free(struct text *text)
{
  if (!text)
    return;
  for (uint32_t i = 0; i < text->puzzles_count; i++)
    free_puzzle(&text->puzzles[i]);
  free(text->puzzles);
  free(text->faults.fault);
  free(text);
}
