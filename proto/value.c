/* Reading ends at the first byte that makes no sense; whoever reads on meets nil, and asks once, at the end. */
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
  value->kind = ITEM_NIL;
  value->number = 0;
}

/* Makes an integer of a real that is one, and fits into 64 bits. */
static void take_whole(struct msgpack_item *item)
{
  double real = item->real;
  if (real >= 0 && real < 0x1p64 && real == (double)(uint64_t)real) {
    item->kind = ITEM_UNSIGNED;
    item->number = (uint64_t)real;
  } else if (real < 0 && real >= -0x1p63 && real == (double)(int64_t)real) {
    item->kind = ITEM_SIGNED;
    item->negative = (int64_t)real;
  }
}

void reader_next_long(struct reader *reader, struct value *value)
{
  struct msgpack_item item;
  size_t length = (size_t)(reader->end - reader->at);
  int error = reader->error ? reader->error : msgpack_item_read(reader->at, length, &item);
  if (error == 0 && item.payload_bytes > length - item.head_bytes)
    error = -EAGAIN;
  if (error) {
    reader_break(reader, error, value);
    return;
  }
  if (item.kind == ITEM_REAL)
    take_whole(&item);
  value_set(value, &item, reader->at + item.head_bytes);
  reader->at = value->payload + item.payload_bytes;
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
  case ITEM_BOOLEAN: return say(value.number ? "true" : "false");
  case ITEM_UNSIGNED: return say("%llu", (unsigned long long)value.number);
  case ITEM_SIGNED: return say("%lld", (long long)value.negative);
  case ITEM_REAL: return describe_real(value.real);
  case ITEM_TEXT: return say("\"%s\"", value_quote(value).text);
  case ITEM_LIST: return say("a list");
  case ITEM_MAP: return say("a map");
  case ITEM_BINARY: return say("binary data");
  case ITEM_EXTENSION: return say("an extension");
  default: return say("null");
  }
}

int value_refuse(const struct value *value, enum error error, const char *place, const char *kind,
                 struct fault *fault)
{
  return fault_set(fault, error, "%s is %s, not %s", place, value_describe(*value).text, kind);
}
