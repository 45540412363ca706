/*
 * Lines: no JSON text holds a bare newline. Blank lines are skipped.
 *
 * Headers are lines of `Name: value` ended by CR LF (LF alone will do); an empty line ends them, then come as
 * many bytes as Content-Length said. Other headers are ignored, and so are blank lines before the first. A line
 * that is no header, or a missing or unreadable length, leaves no way to find the next message. Headers are read
 * anew whenever more has come: they are short.
 */
#include "proto/json_frames.h"

#include <string.h>
#include <strings.h>

#include "proto/json_read.h"

static const size_t HEADERS_MAX = 4096; /* bytes */
static const char LENGTH_HEADER[] = "Content-Length:";

/* Of a message of which so many bytes have come or will. */
static enum framer_result refuse(struct framer *framer, const char *body, uint64_t length,
                                 struct frame *frame, struct fault *fault)
{
  request_id_find_json(body, length < FRAME_ID_BYTES ? (size_t)length : FRAME_ID_BYTES, &frame->id);
  limits_refuse_length(framer->limits, fault);
  framer->skipping = true;
  return FRAMER_REFUSED;
}

static size_t count_spaces(const char *bytes, size_t length)
{
  size_t count = 0;
  while (count < length && json_is_space(bytes[count]))
    count++;
  return count;
}

static enum framer_result next_line(struct framer *framer, const char *bytes, size_t length,
                                    struct frame *frame, struct fault *fault)
{
  while (frame->consumed < length) {
    const char *line = bytes + frame->consumed;
    size_t available = length - frame->consumed, at = (size_t)framer->passed;
    const char *newline = memchr(line + at, '\n', available - at);
    size_t end = newline ? (size_t)(newline - line) : available;
    framer->passed = newline || end > framer->limits->message_bytes ? 0 : end;
    if (end > framer->limits->message_bytes) {
      frame->consumed += end;
      return refuse(framer, line, framer->limits->message_bytes, frame, fault);
    }
    if (!newline)
      return FRAMER_MORE;
    frame->consumed += end + 1;
    frame->body = line;
    frame->length = end;
    if (count_spaces(line, end) < end)
      return FRAMER_MESSAGE;
  }
  return FRAMER_MORE;
}

static enum framer_result skip_line(struct framer *framer, const char *bytes, size_t length,
                                    size_t *dropped, struct fault *fault)
{
  (void)fault;
  const char *newline = memchr(bytes, '\n', length);
  *dropped = newline ? (size_t)(newline - bytes) + 1 : length;
  framer->skipping = !newline;
  return FRAMER_MORE;
}

const struct framing json_lines_framing = {next_line, skip_line};

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

static enum framer_result read_header(const char *line, size_t length, uint64_t *body_length,
                                      struct fault *fault)
{
  const size_t name_length = sizeof LENGTH_HEADER - 1;
  if (!memchr(line, ':', length))
    return broken(fault, "a header line has no colon");
  if (length < name_length || strncasecmp(line, LENGTH_HEADER, name_length) != 0)
    return FRAMER_MORE;
  if (*body_length != UINT64_MAX)
    return broken(fault, "Content-Length is given twice");
  if (!read_length(line + name_length, line + length, body_length))
    return broken(fault, "Content-Length is no number of bytes");
  return FRAMER_MORE;
}

/* FRAMER_MESSAGE once the headers have all come. */
static enum framer_result read_headers(const char *bytes, size_t length, size_t *body_at,
                                       uint64_t *body_length, struct fault *fault)
{
  *body_length = UINT64_MAX;
  for (size_t at = 0;; at = *body_at) {
    const char *newline = memchr(bytes + at, '\n', length - at);
    size_t end = newline ? (size_t)(newline - bytes) : length;
    if (end > HEADERS_MAX)
      return broken(fault, "the headers are longer than 4096 bytes");
    if (!newline)
      return FRAMER_MORE;
    *body_at = end + 1;
    if (end > at && bytes[end - 1] == '\r')
      end--;
    if (end == at)
      break;
    if (read_header(bytes + at, end - at, body_length, fault) == FRAMER_BROKEN)
      return FRAMER_BROKEN;
  }
  return *body_length == UINT64_MAX ? broken(fault, "the headers end without a Content-Length")
                                    : FRAMER_MESSAGE;
}

/* Waits for as much of the body as tells its id. */
static enum framer_result refuse_body(struct framer *framer, const char *body, size_t come,
                                      uint64_t body_length, struct frame *frame,
                                      struct fault *fault)
{
  if (body_length > FRAME_SKIP_MAX_BYTES) {
    limits_refuse_length(framer->limits, fault);
    return FRAMER_BROKEN;
  }
  if (come < body_length && come < FRAME_ID_BYTES)
    return FRAMER_MORE;
  framer->passed = body_length;
  return refuse(framer, body, body_length, frame, fault);
}

static enum framer_result next_body(struct framer *framer, const char *bytes, size_t length,
                                    struct frame *frame, struct fault *fault)
{
  size_t body_at;
  uint64_t body_length;
  frame->consumed = count_spaces(bytes, length);
  bytes += frame->consumed;
  length -= frame->consumed;
  enum framer_result result = read_headers(bytes, length, &body_at, &body_length, fault);
  if (result != FRAMER_MESSAGE)
    return result;
  if (body_length > framer->limits->message_bytes) {
    result = refuse_body(framer, bytes + body_at, length - body_at, body_length, frame, fault);
    frame->consumed += result == FRAMER_REFUSED ? body_at : 0;
    return result;
  }
  if (length - body_at < body_length)
    return FRAMER_MORE;
  frame->body = bytes + body_at;
  frame->length = (size_t)body_length;
  frame->consumed += body_at + frame->length;
  return FRAMER_MESSAGE;
}

static enum framer_result skip_body(struct framer *framer, const char *bytes, size_t length,
                                    size_t *dropped, struct fault *fault)
{
  (void)bytes, (void)fault;
  *dropped = framer->passed < length ? (size_t)framer->passed : length;
  framer->passed -= *dropped;
  framer->skipping = framer->passed > 0;
  return FRAMER_MORE;
}

const struct framing content_length_framing = {next_body, skip_body};
