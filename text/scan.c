/*
 * Space, comments and words are told apart by their first byte. Quotes of one kind may be closed by another of
 * the same number of strokes, since word processors turn them as they like; an open one ends with its line.
 */
#include "text/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const spaces[] = {"\xc2\xa0",     "\xe2\x80\x8b", "\xe2\x80\xa8", "\xe2\x80\xa9",
                                     "\xe2\x80\xaf", "\xe3\x80\x80", "\xef\xbb\xbf", NULL};
static const char *const single_quotes[] = {
    "'", "`", "\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x9a", "\xe2\x80\x9b", "\xc2\xb4", NULL};
static const char *const double_quotes[] = {
    "\"",           "\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9e",
    "\xe2\x80\x9f", "\xc2\xab",     "\xc2\xbb",     NULL};

/* How many bytes of one of `names` stand at `at`; 0 for none. */
static uint32_t match(const struct scanner *scanner, uint32_t at, const char *const *names)
{
  for (; *names; names++) {
    size_t length = strlen(*names);
    if (length <= scanner->length - at && memcmp(scanner->bytes + at, *names, length) == 0)
      return (uint32_t)length;
  }
  return 0;
}

static bool is_digit(char byte)
{
  return byte >= '0' && byte <= '9';
}

static bool begins_word(char byte)
{
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

uint32_t scan_line_end(const struct scanner *scanner, uint32_t at)
{
  const char *end = memchr(scanner->bytes + at, '\n', scanner->length - at);
  return end ? (uint32_t)(end - scanner->bytes) : scanner->length;
}

uint32_t scan_character(const struct scanner *scanner, uint32_t at)
{
  uint8_t lead = (uint8_t)scanner->bytes[at];
  uint32_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  if (length > scanner->length - at)
    return 1;
  for (uint32_t i = 1; i < length; i++) {
    if (((uint8_t)scanner->bytes[at + i] & 0xc0) != 0x80)
      return 1;
  }
  return length;
}

bool scan_space(struct scanner *scanner)
{
  bool first = scanner->at == 0;
  while (scanner->at < scanner->length) {
    char byte = scanner->bytes[scanner->at];
    uint32_t wide = (uint8_t)byte >= 0x80 ? match(scanner, scanner->at, spaces) : 0;
    if (byte == '\n')
      first = true;
    else if (wide == 0 && !strchr(" \t\r\v\f", byte))
      return first;
    else if (byte == '\0')
      return first;
    scanner->at += wide ? wide : 1;
  }
  return first;
}

bool scan_comment(struct scanner *scanner)
{
  char byte = scan_byte(scanner, scanner->at), next = scan_byte(scanner, scanner->at + 1);
  const bool is_fence = scanner->length - scanner->at >= 3 &&
                        memcmp(scanner->bytes + scanner->at, "```", 3) == 0; /* Markdown's */
  if (byte == '#' || (byte == '/' && next == '/') || is_fence) {
    scanner->at = scan_line_end(scanner, scanner->at);
    return true;
  }
  if (byte != '/' || next != '*')
    return false;
  const char *from = scanner->bytes + scanner->at + 2;
  const char *end = memmem(from, (size_t)(scanner->bytes + scanner->length - from), "*/", 2);
  scanner->at = end ? (uint32_t)(end - scanner->bytes) + 2 : scanner->length;
  return true;
}

static uint32_t text_end(const struct scanner *scanner, uint32_t at, const char *const *quotes,
                         uint32_t *content_end, bool *closed)
{
  while (at < scanner->length && scanner->bytes[at] != '\n') {
    char byte = scanner->bytes[at];
    bool may_be_quote = (uint8_t)byte >= 0x80 || byte == '\'' || byte == '"' || byte == '`';
    uint32_t quote = may_be_quote ? match(scanner, at, quotes) : 0;
    if (quote) {
      *content_end = at;
      *closed = true;
      return at + quote;
    }
    if (byte == '\\' && at + 1 < scanner->length && scanner->bytes[at + 1] != '\n')
      at++;
    at += scan_character(scanner, at);
  }
  if (at > 0 && scanner->bytes[at - 1] == '\r')
    at--;
  *content_end = at;
  *closed = false;
  return at;
}

static uint32_t pass_digits(const struct scanner *scanner, uint32_t at)
{
  while (is_digit(scan_byte(scanner, at)))
    at++;
  return at;
}

/* Where the number at `at` ends; `at` itself where there is none. */
static uint32_t number_end(const struct scanner *scanner, uint32_t at)
{
  uint32_t digits = at + (scan_byte(scanner, at) == '-' || scan_byte(scanner, at) == '+');
  uint32_t end = pass_digits(scanner, digits);
  if (end == digits)
    return at;
  if (scan_byte(scanner, end) == '.')
    end = pass_digits(scanner, end + 1);
  if ((scan_byte(scanner, end) | 0x20) == 'e') {
    char sign = scan_byte(scanner, end + 1);
    uint32_t exponent = end + 1 + (sign == '-' || sign == '+');
    uint32_t exponent_end = pass_digits(scanner, exponent);
    end = exponent_end > exponent ? exponent_end : end;
  }
  return end;
}

static uint32_t word_end(const struct scanner *scanner, uint32_t at)
{
  while (begins_word(scan_byte(scanner, at)) || is_digit(scan_byte(scanner, at)) ||
         (scan_byte(scanner, at) == '.' && begins_word(scan_byte(scanner, at + 1))))
    at++;
  return at;
}

static char closer_of(char byte)
{
  switch (byte) {
  case '[':
  case ']': return ']';
  case '(':
  case ')': return ')';
  case '{':
  case '}': return '}';
  default: return '\0';
  }
}

static bool read_text(const struct scanner *scanner, struct token *token)
{
  const char *const *quotes = single_quotes;
  uint32_t at = token->span.at, content_end, quote = match(scanner, at, single_quotes);
  if (!quote) {
    quotes = double_quotes;
    quote = match(scanner, at, double_quotes);
  }
  if (!quote)
    return false;
  uint32_t end = text_end(scanner, at + quote, quotes, &content_end, &token->closed);
  token->kind = TOKEN_TEXT;
  token->content = (struct text_span){at + quote, content_end - at - quote};
  token->span.length = end - at;
  return true;
}

struct token scan_token(struct scanner *scanner)
{
  do
    scan_space(scanner);
  while (scan_comment(scanner));
  struct token token = {.kind = TOKEN_END, .span = {scanner->at, 0}};
  if (scanner->at >= scanner->length)
    return token;
  const uint32_t at = scanner->at;
  const char byte = scanner->bytes[at];
  uint32_t number = number_end(scanner, at);
  token.span.length = 1;
  token.closer = closer_of(byte);
  if (token.closer) {
    token.kind = token.closer == byte ? TOKEN_CLOSE : TOKEN_OPEN;
  } else if (byte == ',' || byte == ';') {
    token.kind = TOKEN_COMMA;
  } else if (byte == ':' || byte == '=') {
    token.kind = TOKEN_ASSIGN;
  } else if (number > at) {
    token.kind = TOKEN_NUMBER;
    token.span.length = number - at;
  } else if (begins_word(byte)) {
    token.kind = TOKEN_WORD;
    token.span.length = word_end(scanner, at) - at;
  } else if (!read_text(scanner, &token)) {
    token.kind = TOKEN_OTHER;
    token.span.length = scan_character(scanner, at);
  }
  scanner->at = span_end(token.span);
  return token;
}

static bool hex4(const struct scanner *scanner, uint32_t at, uint32_t *code)
{
  *code = 0;
  for (uint32_t i = 0; i < 4; i++) {
    char byte = scan_byte(scanner, at + i), letter = byte | 0x20;
    if (!is_digit(byte) && !(letter >= 'a' && letter <= 'f'))
      return false;
    *code = *code << 4 | (uint32_t)(is_digit(byte) ? byte - '0' : letter - 'a' + 10);
  }
  return true;
}

/* The cells of a puzzle are ASCII: what is past it becomes one byte that is no cell. */
uint32_t scan_unescape(const struct scanner *scanner, uint32_t *at, char bytes[static 4])
{
  static const char from[] = "\"\\/'bfnrt", to[] = "\"\\/'\b\f\n\r\t";
  char byte = scanner->bytes[*at], escaped = scan_byte(scanner, *at + 1);
  const char *found = byte == '\\' && escaped ? strchr(from, escaped) : NULL;
  uint32_t code;
  if (found) {
    bytes[0] = to[found - from];
    *at += 2;
    return 1;
  }
  if (byte == '\\' && escaped == 'u' && hex4(scanner, *at + 2, &code)) {
    bytes[0] = code < 0x80 ? (char)code : '\x7f';
    *at += 6;
    return 1;
  }
  uint32_t length = scan_character(scanner, *at);
  memcpy(bytes, scanner->bytes + *at, length);
  *at += length;
  return length;
}

enum { DIGITS_MAX = 400 };

static double real_of(const struct scanner *scanner, struct text_span number)
{
  char digits[DIGITS_MAX + 1];
  if (number.length > DIGITS_MAX)
    return NAN;
  memcpy(digits, scanner->bytes + number.at, number.length);
  digits[number.length] = '\0';
  return strtod(digits, NULL);
}

bool scan_int32(const struct scanner *scanner, struct text_span number, int32_t *value)
{
  const char *at = scanner->bytes + number.at, *end = at + number.length;
  bool negative = *at == '-';
  int64_t sum = 0;
  for (at += negative || *at == '+'; at < end && is_digit(*at) && sum <= INT32_MAX; at++)
    sum = sum * 10 + (*at - '0');
  if (at == end && sum <= (int64_t)INT32_MAX + negative) {
    *value = (int32_t)(negative ? -sum : sum);
    return true;
  }
  double real = real_of(scanner, number);
  if (!(real >= INT32_MIN && real <= INT32_MAX) || real != floor(real))
    return false;
  *value = (int32_t)real;
  return true;
}

bool scan_is_whole(const struct scanner *scanner, struct text_span number)
{
  double real = real_of(scanner, number);
  return isfinite(real) && real == floor(real);
}
