#include "lsp/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Passes a line with its end. */
static uint32_t next_line(const char *bytes, uint32_t length, uint32_t at)
{
  while (at < length && bytes[at] != '\n' && bytes[at] != '\r')
    at++;
  if (at < length && bytes[at] == '\r' && at + 1 < length && bytes[at + 1] == '\n')
    at++;
  return at + 1;
}

static bool is_ascii(const char *bytes, uint32_t length)
{
  unsigned char any = 0;
  for (uint32_t i = 0; i < length; i++)
    any |= (unsigned char)bytes[i];
  return any < 0x80;
}

/* A text that ends with a line end has an empty line behind it. */
static uint32_t count_lines(const char *bytes, uint32_t length)
{
  uint32_t count = 0;
  for (uint32_t at = 0; at <= length; at = next_line(bytes, length, at))
    count++;
  return count;
}

int lines_init(struct lines *lines, const char *bytes, uint32_t length)
{
  uint32_t count = count_lines(bytes, length);
  uint32_t *begin = malloc(count * sizeof *begin);
  if (!begin)
    return -ENOMEM;
  for (uint32_t line = 0, at = 0; line < count; line++, at = next_line(bytes, length, at))
    begin[line] = at;
  *lines = (struct lines){bytes, length, count, begin, is_ascii(bytes, length)};
  return 0;
}

void lines_deinit(struct lines *lines)
{
  free(lines->begin);
  lines->begin = NULL;
}

uint32_t lines_end(const struct lines *lines, uint32_t line)
{
  uint32_t end = lines->length;
  if (line + 1 < lines->count) {
    end = lines->begin[line + 1] - 1;
    if (lines->bytes[end] == '\n' && end > lines->begin[line] && lines->bytes[end - 1] == '\r')
      end--;
  }
  return end;
}

uint32_t lines_find(const struct lines *lines, uint32_t offset)
{
  uint32_t low = 0, high = lines->count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (lines->begin[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Bytes of the character that begins with `byte`, at most `left`. */
static uint32_t character_bytes(unsigned char byte, uint32_t left)
{
  uint32_t bytes = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  return bytes < left ? bytes : left;
}

static uint32_t units(enum position_encoding encoding, uint32_t bytes)
{
  if (encoding == POSITION_UTF8)
    return bytes;
  return encoding == POSITION_UTF16 && bytes == 4 ? 2 : 1;
}

uint32_t lines_offset(const struct lines *lines, enum position_encoding encoding,
                      struct position position)
{
  if (position.line >= lines->count)
    return lines->length;
  uint32_t at = lines->begin[position.line], end = lines_end(lines, position.line);
  if (lines->ascii)
    return position.column < end - at ? at + position.column : end;
  for (uint32_t column = 0; at < end;) {
    uint32_t bytes = character_bytes((unsigned char)lines->bytes[at], end - at);
    column += units(encoding, bytes);
    if (column > position.column)
      break;
    at += bytes;
  }
  return at;
}

struct position lines_position(const struct lines *lines, enum position_encoding encoding,
                               uint32_t offset)
{
  if (offset > lines->length)
    offset = lines->length;
  struct position position = {.line = lines_find(lines, offset)};
  uint32_t at = lines->begin[position.line], end = lines_end(lines, position.line);
  if (offset > end)
    offset = end;
  if (lines->ascii) {
    position.column = offset - at;
    return position;
  }
  while (at < offset) {
    uint32_t bytes = character_bytes((unsigned char)lines->bytes[at], end - at);
    if (at + bytes > offset)
      break;
    position.column += units(encoding, bytes);
    at += bytes;
  }
  return position;
}
