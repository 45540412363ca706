#include "client/batch/append.h"

#include <stdarg.h>
#include <stdio.h>

void append(struct buffer *out, const char *text)
{
  buffer_append(out, text, strlen(text));
}

void append_number(struct buffer *out, uint64_t number)
{
  char digits[20], *at = digits + sizeof digits;
  do {
    *--at = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  buffer_append(out, at, (size_t)(digits + sizeof digits - at));
}

void append_format(struct buffer *out, const char *format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length > 0)
    buffer_append(out, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static void append_json_byte(struct buffer *out, unsigned char byte)
{
  char escape[8];
  if (byte == '"' || byte == '\\')
    snprintf(escape, sizeof escape, "\\%c", byte);
  else if (byte == '\n')
    snprintf(escape, sizeof escape, "\\n");
  else if (byte < ' ' || byte >= 0x7f)
    snprintf(escape, sizeof escape, "\\u%04x", byte);
  else
    snprintf(escape, sizeof escape, "%c", byte);
  append(out, escape);
}

void append_json_text(struct buffer *out, const char *text, size_t length)
{
  append(out, "\"");
  for (size_t i = 0; i < length; i++)
    append_json_byte(out, (unsigned char)text[i]);
  append(out, "\"");
}
