/* MessagePack to JSON text in one pass. Whatever the texts hold, what comes out is valid JSON. */
#include "proto/json_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "proto/utf8.h"
#include "proto/value.h"

static void write_literal(struct buffer *out, const char *text)
{
  buffer_append(out, text, strlen(text));
}

static void write_escape(struct buffer *out, char byte)
{
  char escape[8];
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  const char *found = byte ? strchr(from, byte) : NULL;
  if (found)
    snprintf(escape, sizeof escape, "\\%c", to[found - from]);
  else
    snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(uint8_t)byte);
  write_literal(out, escape);
}

static bool is_plain(char byte)
{
  return byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
}

static void write_text(struct buffer *out, const char *text, size_t length)
{
  write_literal(out, "\"");
  for (size_t at = 0; at < length;) {
    size_t plain = 0;
    while (at + plain < length && is_plain(text[at + plain]))
      plain++;
    buffer_append(out, text + at, plain);
    at += plain;
    if (at == length)
      break;
    size_t size = utf8_character(text + at, length - at);
    if (size > 1)
      buffer_append(out, text + at, size);
    else if (size == 1)
      write_escape(out, text[at]);
    else
      write_literal(out, "\xef\xbf\xbd");
    at += size ? size : 1;
  }
  write_literal(out, "\"");
}

static void write_real(struct buffer *out, double real)
{
  char text[32] = "null";
  if (isfinite(real))
    snprintf(text, sizeof text, "%.17g", real);
  write_literal(out, text);
}

static void write_scalar(struct buffer *out, const struct value *value)
{
  char number[24];
  switch (value->kind) {
  case VALUE_BOOLEAN: write_literal(out, value->number ? "true" : "false"); break;
  case VALUE_UNSIGNED:
    snprintf(number, sizeof number, "%llu", (unsigned long long)value->number);
    write_literal(out, number);
    break;
  case VALUE_SIGNED:
    snprintf(number, sizeof number, "%lld", (long long)value->negative);
    write_literal(out, number);
    break;
  case VALUE_REAL: write_real(out, value->real); break;
  case VALUE_TEXT: write_text(out, value->payload, value->length); break;
  default: write_literal(out, "null"); break;
  }
}

static void write_value(struct buffer *out, struct reader *reader)
{
  struct value value;
  reader_next(reader, &value);
  if (!value_is_list(&value) && !value_is_map(&value)) {
    write_scalar(out, &value);
    return;
  }
  const bool is_map = value_is_map(&value);
  write_literal(out, is_map ? "{" : "[");
  for (uint64_t i = 0; i < value.children && !reader->error; i++) {
    if (i > 0)
      write_literal(out, is_map && i % 2 == 1 ? ":" : ",");
    write_value(out, reader);
  }
  write_literal(out, is_map ? "}" : "]");
}

void json_write(struct buffer *out, const char *bytes, size_t length)
{
  struct reader reader = reader_on(bytes, length);
  write_value(out, &reader);
}
