/* MessagePack to JSON text in one pass. Whatever the texts hold, what comes out is valid JSON. */
#include "proto/json_write.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proto/msgpack_scan.h"

/* RFC 3629: no overlong form, no surrogate, nothing past U+10FFFF. */
size_t utf8_character(const char *text, size_t length)
{
  const uint8_t *byte = (const uint8_t *)text;
  if (length == 0)
    return 0;
  if (byte[0] < 0x80)
    return 1;
  size_t size = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
  if (byte[0] < 0xc2 || byte[0] > 0xf4 || length < size)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((byte[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xf0 && byte[1] < 0x90);
  bool surrogate = byte[0] == 0xed && byte[1] > 0x9f;
  bool too_high = byte[0] == 0xf4 && byte[1] > 0x8f;
  return overlong || surrogate || too_high ? 0 : size;
}

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

static void write_scalar(struct buffer *out, const struct msgpack_item *item, const char *payload)
{
  char number[24];
  switch (item->kind) {
  case ITEM_BOOLEAN: write_literal(out, item->number ? "true" : "false"); break;
  case ITEM_UNSIGNED:
    snprintf(number, sizeof number, "%llu", (unsigned long long)item->number);
    write_literal(out, number);
    break;
  case ITEM_SIGNED:
    snprintf(number, sizeof number, "%lld", (long long)item->negative);
    write_literal(out, number);
    break;
  case ITEM_REAL: write_real(out, item->real); break;
  case ITEM_TEXT: write_text(out, payload, item->payload_bytes); break;
  default: write_literal(out, "null"); break;
  }
}

/* Returns the bytes that the item takes. */
static size_t write_item(struct buffer *out, const char *bytes, size_t length)
{
  struct msgpack_item item;
  if (msgpack_item_read(bytes, length, &item))
    return length;
  size_t at = item.head_bytes;
  if (item.kind != ITEM_LIST && item.kind != ITEM_MAP) {
    write_scalar(out, &item, bytes + at);
    return at + item.payload_bytes;
  }
  const bool is_map = item.kind == ITEM_MAP;
  write_literal(out, is_map ? "{" : "[");
  for (uint64_t i = 0; i < item.children; i++) {
    if (i > 0)
      write_literal(out, is_map && i % 2 == 1 ? ":" : ",");
    at += write_item(out, bytes + at, length - at);
  }
  write_literal(out, is_map ? "}" : "]");
  return at;
}

void json_write(struct buffer *out, const char *bytes, size_t length)
{
  write_item(out, bytes, length);
}
