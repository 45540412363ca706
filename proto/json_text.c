/* Texts: escapes are undone, and what is no UTF-8 is refused. */
#include <errno.h>
#include <string.h>

#include "proto/json_reader.h"
#include "proto/json_write.h"

static bool read_hex4(struct json_reader *reader, uint32_t *number)
{
  *number = 0;
  for (int i = 0; i < 4; i++, reader->at++) {
    char digit = reader->at < reader->end ? *reader->at : 'x';
    if (digit >= '0' && digit <= '9')
      *number = *number << 4 | (uint32_t)(digit - '0');
    else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f')
      *number = *number << 4 | (uint32_t)((digit | 0x20) - 'a' + 10);
    else
      return false;
  }
  return true;
}

static void append_utf8(struct buffer *out, uint32_t code)
{
  char bytes[4];
  size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const uint8_t lead[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
  for (size_t i = size - 1; i > 0; i--, code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(lead[size] | code);
  buffer_append(out, bytes, size);
}

/* After "\u". Characters past the first 65,536 come as a pair. */
static int read_code(struct json_reader *reader)
{
  uint32_t code, low;
  if (!read_hex4(reader, &code))
    return json_refuse_here(reader, "\\u takes four hexadecimal digits");
  if (code >= 0xdc00 && code <= 0xdfff)
    return json_refuse(reader, ERROR_PARSE, "the second half of a pair without the first");
  if (code >= 0xd800 && code <= 0xdbff) {
    if (!json_pass(reader, '\\') || !json_pass(reader, 'u') || !read_hex4(reader, &low) ||
        low < 0xdc00 || low > 0xdfff)
      return json_refuse_here(reader, "the first half of a pair without the second");
    code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
  }
  append_utf8(reader->out, code);
  return 0;
}

static int read_escape(struct json_reader *reader)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (reader->at == reader->end)
    return json_refuse_here(reader, "");
  char byte = *reader->at;
  const char *found = byte ? strchr(from, byte) : NULL;
  if (!found && byte != 'u')
    return json_refuse(reader, ERROR_PARSE, "an unknown escape");
  reader->at++;
  if (!found)
    return read_code(reader);
  buffer_append(reader->out, &to[found - from], 1);
  return 0;
}

/* The bytes up to the next quote or backslash. */
static int copy_plain(struct json_reader *reader)
{
  const char *begin = reader->at;
  while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\') {
    if ((uint8_t)*reader->at < ' ')
      return json_refuse(reader, ERROR_PARSE, "a control character in a text");
    size_t size = utf8_character(reader->at, (size_t)(reader->end - reader->at));
    if (size == 0)
      return json_refuse(reader, ERROR_PARSE, "no UTF-8");
    reader->at += size;
  }
  buffer_append(reader->out, begin, (size_t)(reader->at - begin));
  return 0;
}

int json_read_text(struct json_reader *reader)
{
  size_t head_at = json_begin_counted(reader->out, 0xdb);
  reader->at++;
  while (!json_pass(reader, '"')) {
    int error = json_pass(reader, '\\') ? read_escape(reader) : copy_plain(reader);
    if (error == 0 && reader->at == reader->end)
      error = json_refuse_here(reader, "");
    if (error)
      return error;
  }
  json_end_counted(reader->out, head_at, reader->out->length - head_at - COUNTED_HEAD_BYTES);
  return 0;
}
