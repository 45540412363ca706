/* The words of puzzle text: brackets, quotes, numbers. Private to text/. */
#ifndef CATMOUSE_TEXT_SCAN_H
#define CATMOUSE_TEXT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "text/text.h"

enum token_kind {
  TOKEN_END,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_COMMA,  /* or a semicolon */
  TOKEN_ASSIGN, /* : or = */
  TOKEN_TEXT,   /* in quotes of any kind */
  TOKEN_NUMBER,
  TOKEN_WORD,
  TOKEN_OTHER, /* one character that is none of these */
};

struct token {
  enum token_kind kind;
  struct text_span span;
  char closer;              /* of TOKEN_OPEN and TOKEN_CLOSE: the bracket that ends it */
  struct text_span content; /* of TOKEN_TEXT: between the quotes */
  bool closed;              /* of TOKEN_TEXT: its quote was found on its line */
};

struct scanner {
  const char *bytes;
  uint32_t length;
  uint32_t at;
};

/* Passes space, comments and the token behind them. */
struct token scan_token(struct scanner *scanner);

/* Passes space alone, line ends included. True where it then stands at the first word of a line. */
bool scan_space(struct scanner *scanner);

/* Passes one comment. False where none begins here. */
bool scan_comment(struct scanner *scanner);

/* Where the line that `at` is in ends: the offset of its line end, or the text's length. */
uint32_t scan_line_end(const struct scanner *scanner, uint32_t at);

static inline char scan_byte(const struct scanner *scanner, uint32_t at)
{
  return at < scanner->length ? scanner->bytes[at] : '\0';
}

static inline uint32_t span_end(struct text_span span)
{
  return span.at + span.length;
}

/* From the beginning of `from` to the end of `to`. */
static inline struct text_span span_between(struct text_span from, struct text_span to)
{
  return (struct text_span){from.at, span_end(to) - from.at};
}

/* Bytes of the character at `at`; 1 for what is no UTF-8. */
uint32_t scan_character(const struct scanner *scanner, uint32_t at);

/*
 * The next character of a quoted text, its escapes undone: passes it and returns how many bytes it wrote
 * to `bytes`. An unknown escape stands for itself.
 */
uint32_t scan_unescape(const struct scanner *scanner, uint32_t *at, char bytes[static 4]);

/* A whole number that an int32_t holds, however it is written: 2, 2.0, 2e0. */
bool scan_int32(const struct scanner *scanner, struct text_span number, int32_t *value);

/* A whole number at all? */
bool scan_is_whole(const struct scanner *scanner, struct text_span number);

#endif
