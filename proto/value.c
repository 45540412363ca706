/* Reading ends at the first byte that makes no sense; whoever reads on meets nil, and asks once, at the end. */
#include "proto/value.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUOTED_MAX = 40 }; /* bytes of a text that a sentence repeats */

struct reader reader_on(const char *bytes, size_t length)
{
  if (!bytes) /* an empty buffer's, to which nothing may be added, not even 0 */
    bytes = "";
  return (struct reader){bytes, bytes + length, 0};
}

struct value reader_break(struct reader *reader, int error)
{
  if (reader->error == 0)
    reader->error = error;
  return (struct value){.item.kind = ITEM_NIL};
}

void reader_skip_children(struct reader *reader, uint64_t children)
{
  for (; children > 0 && reader->error == 0; children--)
    children += reader_next(reader).item.children;
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

bool value_int64(const struct value *value, int64_t *number)
{
  bool fits = value->item.kind == ITEM_SIGNED ||
              (value->item.kind == ITEM_UNSIGNED && value->item.number <= INT64_MAX);
  if (fits)
    *number = value->item.negative;
  return fits;
}

bool value_int32(const struct value *value, int32_t *number)
{
  int64_t wide;
  if (!value_int64(value, &wide) || wide < INT32_MIN || wide > INT32_MAX)
    return false;
  *number = (int32_t)wide;
  return true;
}

bool value_is_integer(const struct value *value)
{
  return value->item.kind == ITEM_UNSIGNED || value->item.kind == ITEM_SIGNED;
}

void value_copy_text(const struct value *text, size_t size, char *copy)
{
  if (size > text->item.payload_bytes)
    size = text->item.payload_bytes;
  memcpy(copy, text->payload, size);
  copy[size] = '\0';
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

struct description value_quote(const struct value *text)
{
  char printable[QUOTED_MAX + 1];
  uint64_t length = text->item.payload_bytes, shown = length > QUOTED_MAX ? QUOTED_MAX : length;
  for (uint64_t i = 0; i < shown; i++) {
    char byte = text->payload[i];
    printable[i] = byte < ' ' || byte > '~' ? '?' : byte;
  }
  return say("%.*s%s", (int)shown, printable, shown < length ? "..." : "");
}

struct description value_describe(const struct value *value)
{
  switch (value->item.kind) {
  case ITEM_BOOLEAN: return say(value->item.number ? "true" : "false");
  case ITEM_UNSIGNED: return say("%llu", (unsigned long long)value->item.number);
  case ITEM_SIGNED: return say("%lld", (long long)value->item.negative);
  case ITEM_REAL: return say("%.15g", value->item.real);
  case ITEM_TEXT: return say("\"%s\"", value_quote(value).text);
  case ITEM_LIST: return say("a list");
  case ITEM_MAP: return say("a map");
  case ITEM_BINARY: return say("binary data");
  case ITEM_EXTENSION: return say("an extension");
  default: return say("null");
  }
}
