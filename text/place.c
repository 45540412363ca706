/* Lines and columns, for people. */
#include <string.h>

#include "text/text.h"

static bool continues_character(char byte)
{
  return ((uint8_t)byte & 0xc0) == 0x80;
}

struct text_place text_place_of(const char *bytes, size_t length, uint32_t at)
{
  struct text_place place = {.line = 1, .column = 1};
  uint32_t begin = 0;
  if (at > length)
    at = (uint32_t)length;
  for (const char *end; (end = memchr(bytes + begin, '\n', at - begin)); place.line++)
    begin = (uint32_t)(end + 1 - bytes);
  if (begin == 0 && length >= 3 && at >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
    begin = 3;
  for (uint32_t i = begin; i < at; i++)
    place.column += !continues_character(bytes[i]);
  const char *line_end = memchr(bytes + at, '\n', length - at);
  uint32_t end = (uint32_t)(line_end ? (size_t)(line_end - bytes) : length);
  if (end > begin && bytes[end - 1] == '\r')
    end--;
  place.line_span = (struct text_span){begin, end - begin};
  return place;
}
