/* Reading ends at the first bad byte: whoever reads on meets nil, and asks once, at the end. */
#include "proto/value.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/utf8.h"

enum {
  QUOTED_MAX = 40
}; /* bytes of what a sentence repeats of a text, give or take one character */

struct reader reader_on(const char *bytes, size_t length)
{
  if (!bytes) /* an empty buffer's, to which nothing may be added, not even 0 */
    bytes = "";
  return (struct reader){bytes, bytes + length, 0};
}

/* Notes the error, if it is the first; reads nil, now and ever after. */
static void reader_break(struct reader *reader, int error, struct value *value)
{
  if (reader->error == 0)
    reader->error = error;
  reader->end = reader->at;
  value->kind = VALUE_NIL;
  value->number = 0;
}

struct head {
  uint8_t kind;
  uint8_t width; /* bytes of the number after the first byte */
};

/* First bytes 0xc0 to 0xdf. */
static const struct head heads[32] = {
    {VALUE_NIL, 0},       {VALUE_NONE, 0},      {VALUE_BOOLEAN, 0},   {VALUE_BOOLEAN, 0},
    {VALUE_BINARY, 1},    {VALUE_BINARY, 2},    {VALUE_BINARY, 4},    {VALUE_EXTENSION, 1},
    {VALUE_EXTENSION, 2}, {VALUE_EXTENSION, 4}, {VALUE_REAL, 4},      {VALUE_REAL, 8},
    {VALUE_UNSIGNED, 1},  {VALUE_UNSIGNED, 2},  {VALUE_UNSIGNED, 4},  {VALUE_UNSIGNED, 8},
    {VALUE_SIGNED, 1},    {VALUE_SIGNED, 2},    {VALUE_SIGNED, 4},    {VALUE_SIGNED, 8},
    {VALUE_EXTENSION, 0}, {VALUE_EXTENSION, 0}, {VALUE_EXTENSION, 0}, {VALUE_EXTENSION, 0},
    {VALUE_EXTENSION, 0}, {VALUE_TEXT, 1},      {VALUE_TEXT, 2},      {VALUE_TEXT, 4},
    {VALUE_LIST, 2},      {VALUE_LIST, 4},      {VALUE_MAP, 2},       {VALUE_MAP, 4},
};

static uint64_t read_big_endian(const char *bytes, uint32_t width)
{
  uint64_t number = 0;
  for (uint32_t i = 0; i < width; i++)
    number = number << 8 | (uint8_t)bytes[i];
  return number;
}

static int64_t sign_extend(uint64_t number, uint32_t width)
{
  const unsigned unused = 64 - 8 * width;
  return (int64_t)(number << unused) >> unused;
}

static double real_from_bits(uint64_t bits, uint32_t width)
{
  double wide;
  float narrow;
  uint32_t narrow_bits = (uint32_t)bits;
  memcpy(&wide, &bits, sizeof wide);
  memcpy(&narrow, &narrow_bits, sizeof narrow);
  return width == 4 ? (double)narrow : wide;
}

/* An integer where it is one that fits into 64 bits. */
static void set_real(struct value *value, double real)
{
  if (real >= 0 && real < 0x1p64 && real == (double)(uint64_t)real) {
    value->kind = VALUE_UNSIGNED;
    value->number = (uint64_t)real;
  } else if (real < 0 && real >= -0x1p63 && real == (double)(int64_t)real) {
    value->kind = VALUE_SIGNED;
    value->negative = (int64_t)real;
  } else {
    value->real = real;
  }
}

int value_read_long_head(const char *bytes, size_t length, struct value *value)
{
  uint8_t first = (uint8_t)bytes[0];
  struct head head = heads[first - 0xc0];
  if (head.kind == VALUE_NONE)
    return -EBADMSG;
  if (length <= head.width)
    return -EAGAIN;
  uint64_t argument = read_big_endian(bytes + 1, head.width);
  value->payload = bytes + 1 + head.width;
  value->kind = (enum value_kind)head.kind;
  value->number = argument;
  switch (value->kind) {
  case VALUE_BOOLEAN: value->number = first & 1; break;
  case VALUE_SIGNED:
    value->negative = sign_extend(argument, head.width);
    value->kind = value->negative < 0 ? VALUE_SIGNED : VALUE_UNSIGNED;
    break;
  case VALUE_REAL: set_real(value, real_from_bits(argument, head.width)); break;
  case VALUE_EXTENSION: /* the type is one byte more */
    value->length = 1 + (head.width ? argument : 1u << (first - 0xd4));
    break;
  case VALUE_MAP: value->children = 2 * argument; break;
  default: break;
  }
  return 0;
}

void reader_next_long(struct reader *reader, struct value *value)
{
  size_t length = (size_t)(reader->end - reader->at);
  int error = reader->error ? reader->error : value_read_head(reader->at, length, value);
  if (error == 0 && value_payload_bytes(value) > (size_t)(reader->end - value->payload))
    error = -EAGAIN;
  if (error)
    reader_break(reader, error, value);
  else
    reader->at = value->payload + value_payload_bytes(value);
}

void reader_skip_children(struct reader *reader, uint64_t children)
{
  for (; children > 0 && reader->error == 0; children--) {
    struct value child;
    reader_next(reader, &child);
    if (value_is_list(&child) || value_is_map(&child))
      children += child.children;
  }
}

int reader_finish(const struct reader *reader, struct fault *fault)
{
  if (reader->error == -EBADMSG)
    return fault_set(fault, ERROR_PARSE, "byte 0x%02x begins nothing", (uint8_t)*reader->at);
  if (reader->error)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last item");
  if (reader->at != reader->end)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last byte");
  return 0;
}

static struct description __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
  struct description said;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(said.text, sizeof said.text, format, arguments);
  va_end(arguments);
  return said;
}

struct description value_quote(struct value text)
{
  struct description said;
  size_t at = 0, end = 0, length = (size_t)text.length;
  while (at < length && end < QUOTED_MAX) {
    size_t size = utf8_character(text.payload + at, length - at);
    uint8_t byte = (uint8_t)text.payload[at];
    bool is_plain = size > 1 || (byte >= ' ' && byte <= '~');
    if (is_plain)
      memcpy(said.text + end, text.payload + at, size);
    else
      snprintf(said.text + end, sizeof "\\x1b", "\\x%02x", byte);
    end += is_plain ? size : sizeof "\\x1b" - 1;
    at += is_plain ? size : 1;
  }
  snprintf(said.text + end, sizeof "...", "%s", at < length ? "..." : "");
  return said;
}

/* Never the same as a whole number, which may be what is asked for. */
static struct description describe_real(double real)
{
  struct description said = say("%.15g", real);
  size_t length = strlen(said.text);
  if (strspn(said.text, "-0123456789") == length)
    memcpy(said.text + length, ".0", sizeof ".0");
  return said;
}

struct description value_describe(struct value value)
{
  switch (value.kind) {
  case VALUE_BOOLEAN: return say(value.number ? "true" : "false");
  case VALUE_UNSIGNED: return say("%llu", (unsigned long long)value.number);
  case VALUE_SIGNED: return say("%lld", (long long)value.negative);
  case VALUE_REAL: return describe_real(value.real);
  case VALUE_TEXT: return say("\"%s\"", value_quote(value).text);
  case VALUE_LIST: return say("a list");
  case VALUE_MAP: return say("a map");
  case VALUE_BINARY: return say("binary data");
  case VALUE_EXTENSION: return say("an extension");
  default: return say("null");
  }
}

int value_refuse(const struct value *value, enum error error, const char *place, const char *kind,
                 struct fault *fault)
{
  return fault_set(fault, error, "%s is %s, not %s", place, value_describe(*value).text, kind);
}
