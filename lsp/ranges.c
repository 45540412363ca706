#include "lsp/ranges.h"

json_t *position_json(const struct document *document, enum position_encoding encoding,
                      uint32_t offset)
{
  struct position position = lines_position(&document->lines, encoding, offset);
  return json_pack("{sI, sI}", "line", (json_int_t)position.line, "character",
                   (json_int_t)position.column);
}

json_t *range_json(const struct document *document, enum position_encoding encoding,
                   struct text_span span)
{
  return json_pack("{so, so}", "start", position_json(document, encoding, span.at), "end",
                   position_json(document, encoding, span.at + span.length));
}

static bool read_count(const json_t *number, uint32_t *count)
{
  json_int_t value = json_integer_value(number);
  if (!json_is_integer(number) || value < 0)
    return false;
  *count = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
  return true;
}

bool position_read(const struct document *document, enum position_encoding encoding,
                   const json_t *position, uint32_t *offset)
{
  struct position read;
  if (!read_count(json_object_get(position, "line"), &read.line) ||
      !read_count(json_object_get(position, "character"), &read.column))
    return false;
  *offset = lines_offset(&document->lines, encoding, read);
  return true;
}

bool range_read(const struct document *document, enum position_encoding encoding,
                const json_t *range, struct text_span *span)
{
  uint32_t begin, end;
  if (!position_read(document, encoding, json_object_get(range, "start"), &begin) ||
      !position_read(document, encoding, json_object_get(range, "end"), &end))
    return false;
  *span = (struct text_span){begin, end > begin ? end - begin : 0};
  return true;
}
