#include "lsp/message_reader.h"

#include <string.h>
#include <strings.h>

static const char length_name[] = "content-length:";
enum { NAME_LENGTH = sizeof length_name - 1 };

/* Where the header's value begins, or NULL. Among lost bytes it may stand behind others on its line. */
static const char *length_value(const struct message_reader *reader, const char *line,
                                size_t length)
{
  for (size_t at = 0; at + NAME_LENGTH <= length && (at == 0 || reader->lost); at++)
    if (strncasecmp(line + at, length_name, NAME_LENGTH) == 0)
      return line + at + NAME_LENGTH;
  return NULL;
}

static bool is_blank(char byte)
{
  return byte == ' ' || byte == '\t';
}

static bool read_length(const char *value, const char *end, size_t *length)
{
  size_t number = 0;
  while (value < end && is_blank(*value))
    value++;
  while (end > value && is_blank(end[-1]))
    end--;
  bool good = value < end;
  for (; good && value < end; value++) {
    number = number * 10 + (size_t)(*value - '0');
    good = *value >= '0' && *value <= '9' && number <= MESSAGE_BYTES_MAX;
  }
  *length = number;
  return good;
}

static void read_header(struct message_reader *reader, const char *line, size_t length)
{
  size_t number = 0;
  const char *value = length_value(reader, line, length);
  if (!value)
    return;
  bool good = read_length(value, line + length, &number);
  reader->bad_length |= !good || (reader->has_length && number != reader->body_length);
  reader->has_length = true;
  reader->body_length = number;
  reader->lost = false;
}

/* An empty line: what is found by it. Lost bytes have empty lines too, and these mean nothing. */
static enum message_found end_headers(struct message_reader *reader)
{
  if (reader->lost)
    return MESSAGE_MORE;
  bool good = reader->has_length && !reader->bad_length;
  *reader =
      (struct message_reader){.in_body = good, .lost = !good, .body_length = reader->body_length};
  return good ? MESSAGE_BODY : MESSAGE_JUNK;
}

/* A line that is too long, whether its end has come or not. Among lost bytes, a Content-Length that begins on it may still be cut short. */
static enum message_found pass_long_line(struct message_reader *reader, const char *line,
                                         size_t *at)
{
  if (!reader->lost) {
    *reader = (struct message_reader){.lost = true};
    *at += MESSAGE_HEADER_MAX;
    return MESSAGE_JUNK;
  }
  const char *value = length_value(reader, line, MESSAGE_HEADER_MAX);
  bool later = value && value - line > NAME_LENGTH;
  *at += later ? (size_t)(value - line) - NAME_LENGTH : MESSAGE_HEADER_MAX - NAME_LENGTH;
  return MESSAGE_MORE;
}

static enum message_found pass_line(struct message_reader *reader, const char *line, size_t length)
{
  if (length > 0 && line[length - 1] == '\r')
    length--;
  if (length == 0)
    return end_headers(reader);
  read_header(reader, line, length);
  return MESSAGE_MORE;
}

/* Passes header lines until the body begins or they turn out to be junk. */
static enum message_found pass_headers(struct message_reader *reader, const char *bytes,
                                       size_t length, size_t *at)
{
  enum message_found found = MESSAGE_MORE;
  while (*at < length && found == MESSAGE_MORE) {
    const char *line = bytes + *at, *end = memchr(line, '\n', length - *at);
    if (!end && length - *at <= MESSAGE_HEADER_MAX)
      break;
    if (!end || end - line > MESSAGE_HEADER_MAX) {
      found = pass_long_line(reader, line, at);
      continue;
    }
    *at += (size_t)(end - line) + 1;
    found = pass_line(reader, line, (size_t)(end - line));
  }
  return found;
}

enum message_found message_next(struct message_reader *reader, const char *bytes, size_t length,
                                struct message *message)
{
  size_t at = 0;
  enum message_found found = MESSAGE_BODY;
  if (!reader->in_body)
    found = pass_headers(reader, bytes, length, &at);
  message->consumed = at;
  if (found != MESSAGE_BODY)
    return found;
  if (length - at < reader->body_length)
    return MESSAGE_MORE;
  message->body = bytes + at;
  message->length = reader->body_length;
  message->consumed = at + reader->body_length;
  *reader = (struct message_reader){0};
  return MESSAGE_BODY;
}
