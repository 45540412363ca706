/*
 * Headers are lines of `Name: value` ended by CR LF (LF alone will do); an empty line ends them, then come as
 * many bytes as Content-Length said. Other headers are ignored, and so are blank lines before the first. A line
 * that is no header, or a missing or unreadable length, leaves no way to find the next message.
 */
#include "proto/content_length.h"

#include <string.h>
#include <strings.h>

static const size_t HEADERS_MAX = 4096; /* bytes */
static const char LENGTH_HEADER[] = "Content-Length:";

static enum framer_result broken(struct fault *fault, const char *what)
{
  fault_set(fault, ERROR_PARSE, "%s", what);
  return FRAMER_BROKEN;
}

/* False unless all of it is one number that fits. */
static bool read_length(const char *text, const char *end, uint64_t *number)
{
  uint64_t read = 0;
  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  if (text == end || end - text > 18)
    return false;
  for (; text < end; text++) {
    if (*text < '0' || *text > '9')
      return false;
    read = 10 * read + (uint64_t)(*text - '0');
  }
  *number = read;
  return true;
}

static enum framer_result take_header(struct framer *framer, const char *line, size_t length,
                                      struct fault *fault)
{
  const size_t name_length = sizeof LENGTH_HEADER - 1;
  if (!memchr(line, ':', length))
    return broken(fault, "a header line has no colon");
  if (length < name_length || strncasecmp(line, LENGTH_HEADER, name_length) != 0)
    return FRAMER_MORE;
  if (framer->body_length != UINT64_MAX)
    return broken(fault, "Content-Length is given twice");
  if (!read_length(line + name_length, line + length, &framer->body_length))
    return broken(fault, "Content-Length is no number of bytes");
  return FRAMER_MORE;
}

static enum framer_result take_line(struct framer *framer, const char *bytes, size_t end,
                                    struct fault *fault)
{
  const char *line = bytes + framer->line_at;
  size_t length = end - framer->line_at;
  if (length > 0 && line[length - 1] == '\r')
    length--;
  framer->passed = framer->line_at = end + 1;
  if (length > 0)
    return take_header(framer, line, length, fault);
  if (framer->body_length == UINT64_MAX)
    return broken(fault, "the headers end without a Content-Length");
  framer->body_at = end + 1;
  return FRAMER_MORE;
}

/* Reads headers until the body is found or the bytes run out. */
static enum framer_result read_headers(struct framer *framer, const char *bytes, size_t length,
                                       struct fault *fault)
{
  while (framer->body_at == 0) {
    const char *newline = memchr(bytes + framer->passed, '\n', length - framer->passed);
    size_t end = newline ? (size_t)(newline - bytes) : length;
    if (end > HEADERS_MAX)
      return broken(fault, "the headers are longer than 4096 bytes");
    framer->passed = end;
    if (!newline)
      return FRAMER_MORE;
    if (take_line(framer, bytes, end, fault) == FRAMER_BROKEN)
      return FRAMER_BROKEN;
  }
  return FRAMER_MORE;
}

static void begin_message(struct framer *framer)
{
  framer->passed = framer->line_at = framer->body_at = 0;
  framer->body_length = UINT64_MAX;
}

/* Waits for as much of the body as tells its id. */
static enum framer_result refuse_body(struct framer *framer, const char *bytes, size_t length,
                                      struct frame *frame, struct fault *fault)
{
  uint64_t body_length = framer->body_length;
  size_t come = length - framer->body_at;
  limits_refuse_length(framer->limits, fault);
  if (body_length > FRAME_SKIP_MAX_BYTES)
    return FRAMER_BROKEN;
  size_t id_bytes = body_length < FRAME_ID_BYTES ? (size_t)body_length : FRAME_ID_BYTES;
  if (come < id_bytes)
    return FRAMER_MORE;
  request_id_find_json(bytes + framer->body_at, id_bytes, &frame->id);
  frame->consumed += framer->body_at;
  begin_message(framer);
  framer->body_length = body_length;
  framer->skipping = true;
  return FRAMER_REFUSED;
}

enum framer_result content_length_next(struct framer *framer, const char *bytes, size_t length,
                                       struct frame *frame, struct fault *fault)
{
  size_t blank = 0;
  if (framer->passed == 0) {
    begin_message(framer);
    while (blank < length && is_blank(bytes[blank]))
      blank++;
  }
  frame->consumed = blank;
  bytes += blank;
  length -= blank;
  enum framer_result result = read_headers(framer, bytes, length, fault);
  if (result == FRAMER_BROKEN || framer->body_at == 0)
    return result;
  if (framer->body_length > framer->limits->message_bytes)
    return refuse_body(framer, bytes, length, frame, fault);
  uint64_t end = framer->body_at + framer->body_length;
  if (length < end)
    return FRAMER_MORE;
  frame->body = bytes + framer->body_at;
  frame->length = (size_t)framer->body_length;
  frame->consumed += (size_t)end;
  framer->passed = framer->body_at = 0;
  return FRAMER_MESSAGE;
}

enum framer_result content_length_skip(struct framer *framer, const char *bytes, size_t length,
                                       size_t *dropped, struct fault *fault)
{
  (void)bytes, (void)fault;
  *dropped = framer->body_length < length ? (size_t)framer->body_length : length;
  framer->body_length -= *dropped;
  framer->skipping = framer->body_length > 0;
  return FRAMER_MORE;
}
