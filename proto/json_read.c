/*
 * JSON (RFC 8259) to MessagePack in one pass, so that a decoder knows one form only, and no tree of
 * values is ever held: a list of a million numbers costs a few bytes each.
 *
 * Lists, maps and texts get heads of the widest form, whose counts are filled in at their ends.
 * Escapes are undone, and what is no UTF-8 is refused. Integers of 64 bits stay as they are, other
 * numbers become reals. Nesting is bounded by the limit on depth, and so is the stack.
 */
#include "proto/json_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pack.h"
#include "proto/utf8.h"

enum { COUNTED_HEAD_BYTES = 5, NUMBER_MAX = 400 /* bytes of a number that is no plain integer */ };

/* A place in a text that is being turned into MessagePack. */
struct json_reader {
  const char *text, *at, *end;
  uint64_t depth, depth_max;
  struct buffer *out;
  struct fault *fault;
};

static int read_value(struct json_reader *reader);

/* Passes the next byte if it is this one. */
static bool pass(struct json_reader *reader, char byte)
{
  if (reader->at == reader->end || *reader->at != byte)
    return false;
  reader->at++;
  return true;
}

static void pass_spaces(struct json_reader *reader)
{
  while (reader->at < reader->end && json_is_space(*reader->at))
    reader->at++;
}

static int refuse(const struct json_reader *reader, enum error error, const char *what)
{
  return fault_set(reader->fault, error, "byte %zu of the JSON: %s",
                   (size_t)(reader->at - reader->text) + 1, what);
}

/* At the end of the text nothing else is worth saying. */
static int refuse_here(const struct json_reader *reader, const char *what)
{
  return refuse(reader, ERROR_PARSE, reader->at == reader->end ? "the text ends too early" : what);
}

static size_t begin_counted(struct buffer *out, uint8_t head)
{
  const char unknown[COUNTED_HEAD_BYTES] = {(char)head};
  buffer_append(out, unknown, sizeof unknown);
  return out->length - COUNTED_HEAD_BYTES;
}

static void end_counted(struct buffer *out, size_t head_at, uint64_t count)
{
  for (int i = 0; i < 4 && !out->failed; i++)
    out->data[head_at + 1 + (size_t)i] = (char)(count >> (24 - 8 * i));
}

static bool read_hex4(struct json_reader *reader, uint32_t *number)
{
  *number = 0;
  for (int i = 0; i < 4; i++, reader->at++) {
    char digit = reader->at < reader->end ? *reader->at : 'x';
    if (digit >= '0' && digit <= '9')
      *number = *number << 4 | (uint32_t)(digit - '0');
    else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f')
      *number = *number << 4 | (uint32_t)((digit | 0x20) - 'a' + 10);
    else
      return false;
  }
  return true;
}

/* After "\u". Characters past the first 65,536 come as a pair. */
static int read_code(struct json_reader *reader)
{
  char bytes[UTF8_BYTES_MAX];
  uint32_t code, low;
  if (!read_hex4(reader, &code))
    return refuse_here(reader, "\\u takes four hexadecimal digits");
  if (code >= 0xdc00 && code <= 0xdfff)
    return refuse(reader, ERROR_PARSE, "the second half of a pair without the first");
  if (code >= 0xd800 && code <= 0xdbff) {
    if (!pass(reader, '\\') || !pass(reader, 'u') || !read_hex4(reader, &low) || low < 0xdc00 ||
        low > 0xdfff)
      return refuse_here(reader, "the first half of a pair without the second");
    code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
  }
  buffer_append(reader->out, bytes, utf8_write(code, bytes));
  return 0;
}

static int read_escape(struct json_reader *reader)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (reader->at == reader->end)
    return refuse_here(reader, "");
  char byte = *reader->at;
  const char *found = byte ? strchr(from, byte) : NULL;
  if (!found && byte != 'u')
    return refuse(reader, ERROR_PARSE, "an unknown escape");
  reader->at++;
  if (!found)
    return read_code(reader);
  buffer_append(reader->out, &to[found - from], 1);
  return 0;
}

/* The bytes up to the next quote or backslash. */
static int copy_plain(struct json_reader *reader)
{
  const char *begin = reader->at;
  while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\') {
    if ((uint8_t)*reader->at < ' ')
      return refuse(reader, ERROR_PARSE, "a control character in a text");
    size_t size = utf8_character(reader->at, (size_t)(reader->end - reader->at));
    if (size == 0)
      return refuse(reader, ERROR_PARSE, "no UTF-8");
    reader->at += size;
  }
  buffer_append(reader->out, begin, (size_t)(reader->at - begin));
  return 0;
}

static int read_text(struct json_reader *reader)
{
  size_t head_at = begin_counted(reader->out, 0xdb);
  reader->at++;
  while (!pass(reader, '"')) {
    int error = pass(reader, '\\') ? read_escape(reader) : copy_plain(reader);
    if (error == 0 && reader->at == reader->end)
      error = refuse_here(reader, "");
    if (error)
      return error;
  }
  end_counted(reader->out, head_at, reader->out->length - head_at - COUNTED_HEAD_BYTES);
  return 0;
}

static size_t pass_digits(struct json_reader *reader)
{
  const char *begin = reader->at;
  while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
    reader->at++;
  return (size_t)(reader->at - begin);
}

static int append_real(struct json_reader *reader, const char *begin)
{
  char digits[NUMBER_MAX + 1];
  size_t length = (size_t)(reader->at - begin);
  if (length > NUMBER_MAX)
    return refuse(reader, ERROR_REQUEST, "a number of absurdly many digits");
  memcpy(digits, begin, length);
  digits[length] = '\0';
  double real = strtod(digits, NULL);
  if (isinf(real))
    return refuse(reader, ERROR_REQUEST, "a number past what a real can hold");
  pack_real(reader->out, real);
  return 0;
}

/* False where the number would not fit. */
static bool append_integer(struct buffer *out, bool negative, const char *digit, const char *end)
{
  uint64_t number = 0;
  for (; digit < end; digit++)
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, (uint64_t)(*digit - '0'), &number))
      return false;
  if (negative && number > (uint64_t)INT64_MAX + 1)
    return false;
  if (negative)
    pack_int64(out, (int64_t)-number);
  else
    pack_uint64(out, number);
  return true;
}

static int read_fraction(struct json_reader *reader)
{
  if (pass(reader, '.') && pass_digits(reader) == 0)
    return refuse_here(reader, "a point needs digits after it");
  if (!pass(reader, 'e') && !pass(reader, 'E'))
    return 0;
  if (!pass(reader, '+'))
    pass(reader, '-');
  return pass_digits(reader) ? 0 : refuse_here(reader, "an exponent needs digits");
}

static int read_number(struct json_reader *reader)
{
  const char *begin = reader->at;
  bool negative = pass(reader, '-');
  const char *digits = reader->at;
  if (!pass(reader, '0') && pass_digits(reader) == 0)
    return refuse_here(reader, "no value");
  const char *end = reader->at;
  if (read_fraction(reader))
    return -EBADMSG;
  if (reader->at == end && append_integer(reader->out, negative, digits, end))
    return 0;
  return append_real(reader, begin);
}

static int read_word(struct json_reader *reader)
{
  static const struct {
    const char *word;
    uint8_t byte;
  } words[] = {{"null", 0xc0}, {"false", 0xc2}, {"true", 0xc3}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word), left = (size_t)(reader->end - reader->at);
    if (memcmp(reader->at, words[i].word, length < left ? length : left) != 0)
      continue;
    reader->at += length < left ? length : left;
    if (length > left)
      return refuse_here(reader, "");
    buffer_append(reader->out, &words[i].byte, 1);
    return 0;
  }
  return refuse(reader, ERROR_PARSE, "no value");
}

static int read_bare(struct json_reader *reader)
{
  bool is_number = *reader->at == '-' || (*reader->at >= '0' && *reader->at <= '9');
  return is_number ? read_number(reader) : read_word(reader);
}

static int read_key(struct json_reader *reader)
{
  pass_spaces(reader);
  if (reader->at == reader->end || *reader->at != '"')
    return refuse_here(reader, "a key is a text in quotes");
  if (read_text(reader))
    return -EBADMSG;
  pass_spaces(reader);
  return pass(reader, ':') ? 0 : refuse_here(reader, "a key is followed by ':'");
}

/* Values, or keys with their values, up to the closing bracket. */
static int read_items(struct json_reader *reader, bool is_map, uint64_t *count)
{
  const char close = is_map ? '}' : ']';
  pass_spaces(reader);
  if (pass(reader, close))
    return 0;
  do {
    if ((is_map && read_key(reader)) || read_value(reader))
      return -EBADMSG;
    ++*count;
    pass_spaces(reader);
  } while (pass(reader, ','));
  if (pass(reader, close))
    return 0;
  return refuse_here(reader, is_map ? "an object goes on with ',' or ends with '}'"
                                    : "a list goes on with ',' or ends with ']'");
}

static int read_nested(struct json_reader *reader, bool is_map)
{
  uint64_t count = 0;
  if (reader->depth == reader->depth_max)
    return fault_set(reader->fault, ERROR_LIMIT,
                     "lists and maps lie more than the %llu deep allowed",
                     (unsigned long long)reader->depth_max);
  size_t head_at = begin_counted(reader->out, is_map ? 0xdf : 0xdd);
  reader->at++;
  reader->depth++;
  int error = read_items(reader, is_map, &count);
  reader->depth--;
  end_counted(reader->out, head_at, count);
  return error;
}

static int read_value(struct json_reader *reader)
{
  pass_spaces(reader);
  if (reader->at == reader->end)
    return refuse_here(reader, "");
  switch (*reader->at) {
  case '[': return read_nested(reader, false);
  case '{': return read_nested(reader, true);
  case '"': return read_text(reader);
  default: return read_bare(reader);
  }
}

int json_read(const char *text, size_t length, const struct message_limits *limits,
              struct buffer *out, struct fault *fault)
{
  struct json_reader reader = {.text = text,
                               .at = text,
                               .end = text + length,
                               .depth_max = limits->depth,
                               .out = out,
                               .fault = fault};
  if (length > limits->message_bytes)
    return limits_refuse_length(limits, fault);
  if (read_value(&reader))
    return -EBADMSG;
  pass_spaces(&reader);
  if (reader.at < reader.end)
    return refuse(&reader, ERROR_PARSE, "the text goes on after its value");
  return out->failed ? fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the message")
                     : 0;
}
