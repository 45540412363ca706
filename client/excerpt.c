#include "client/excerpt.h"

#include <stdint.h>
#include <string.h>

enum { SHOWN_BEFORE = 40, SHOWN_AFTER = 36, INDENT = 2 };

/* Bytes of the UTF-8 character at `at`; 0 for what is none. */
static size_t character(const uint8_t *at, size_t left)
{
  size_t length = at[0] < 0x80                    ? 1
                  : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                  : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                  : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                  : 0;
  if (length == 0 || length > left)
    return 0;
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  }
  return length;
}

/* What would move the cursor, or worse: C0, DEL and C1. */
static bool is_control(const uint8_t *at, size_t length)
{
  return at[0] < 0x20 || at[0] == 0x7f || (length == 2 && at[0] == 0xc2 && at[1] < 0xa0);
}

size_t escaped_write(FILE *to, const char *bytes, size_t length)
{
  size_t columns = 0;
  for (size_t i = 0; i < length;) {
    const uint8_t *at = (const uint8_t *)bytes + i;
    size_t whole = character(at, length - i);
    if (whole > 0 && !is_control(at, whole)) {
      fwrite(at, 1, whole, to);
      columns++;
    } else {
      whole = 1;
      columns += (size_t)fprintf(to, "\\x%02x", at[0]);
    }
    i += whole;
  }
  return columns;
}

void escaped_lines_write(FILE *to, const char *bytes, size_t length)
{
  for (size_t at = 0; at < length;) {
    const char *end = memchr(bytes + at, '\n', length - at);
    size_t part = end ? (size_t)(end - bytes) - at : length - at;
    escaped_write(to, bytes + at, part);
    if (end)
      fputc('\n', to);
    at += part + (end != NULL);
  }
}

static uint32_t to_character(const char *bytes, uint32_t at, uint32_t least)
{
  while (at > least && ((uint8_t)bytes[at] & 0xc0) == 0x80)
    at--;
  return at;
}

/* A tab would shift the carets: it is shown as a space. */
static size_t write_part(FILE *to, const char *bytes, uint32_t from, uint32_t end)
{
  size_t columns = 0;
  for (uint32_t at = from; at < end;) {
    const char *tab = memchr(bytes + at, '\t', end - at);
    uint32_t part_end = tab ? (uint32_t)(tab - bytes) : end;
    columns += escaped_write(to, bytes + at, part_end - at);
    if (tab)
      columns += (size_t)fprintf(to, " ");
    at = part_end + (tab != NULL);
  }
  return columns;
}

static void write_times(FILE *to, char byte, size_t times)
{
  while (times-- > 0)
    fputc(byte, to);
}

void excerpt_write(FILE *to, const char *bytes, const struct text_place *place,
                   struct text_span span)
{
  const uint32_t line_end = place->line_span.at + place->line_span.length;
  uint32_t from = place->line_span.at, at = span.at < line_end ? span.at : line_end;
  uint32_t mark_end = span.at + span.length < line_end ? span.at + span.length : line_end;
  if (at - from > SHOWN_BEFORE)
    from = to_character(bytes, at - SHOWN_BEFORE, from);
  uint32_t end = at + SHOWN_AFTER < line_end ? to_character(bytes, at + SHOWN_AFTER, at) : line_end;
  if (mark_end < at)
    mark_end = at;
  if (mark_end > end)
    mark_end = end;
  size_t before = INDENT;
  write_times(to, ' ', INDENT);
  if (from > place->line_span.at)
    before += (size_t)fprintf(to, "...");
  before += write_part(to, bytes, from, at);
  size_t marked = write_part(to, bytes, at, mark_end);
  write_part(to, bytes, mark_end, end);
  fputs(end < line_end ? "...\n" : "\n", to);
  write_times(to, ' ', before);
  write_times(to, '^', marked > 0 ? marked : 1);
  fputc('\n', to);
}
