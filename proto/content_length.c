/*
 * JSON under headers: lines of `Name: value` ended by CR LF (LF alone will do), an empty line, then as
 * many bytes as Content-Length said. Other headers are ignored; one that is no header, or a missing or
 * unreadable length, leaves no way to find the next message.
 */
#include <string.h>
#include <strings.h>

#include "proto/framer_formats.h"

static const size_t HEADERS_MAX = 4096;    /* bytes */
static const uint64_t SKIP_MAX = 1u << 30; /* bytes of a refused body that are waited for */
static const char LENGTH_HEADER[] = "Content-Length:";

static void begin_message(struct framer *framer)
{
  framer->scanned = framer->line_at = framer->body_at = 0;
  framer->body_length = UINT64_MAX;
  framer->json = (struct json_scan){0};
}

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
  framer->scanned = framer->line_at = end + 1;
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
    const char *newline = memchr(bytes + framer->scanned, '\n', length - framer->scanned);
    size_t end = newline ? (size_t)(newline - bytes) : length;
    if (end > HEADERS_MAX)
      return broken(fault, "the headers are longer than 4096 bytes");
    framer->scanned = end;
    if (!newline)
      return FRAMER_MORE;
    if (take_line(framer, bytes, end, fault) == FRAMER_BROKEN)
      return FRAMER_BROKEN;
  }
  return FRAMER_MORE;
}

/* Drops what has come of a message that ends at `end`, and sees to it that the rest, if any, is skipped. */
static void refuse_rest(struct framer *framer, uint64_t end, size_t come, struct frame *frame)
{
  frame->consumed = come;
  framer->skip_bytes = end - come;
  framer->skipping = framer->skip_bytes > 0;
  if (!framer->skipping)
    begin_message(framer);
}

static enum framer_result refuse_body(struct framer *framer, size_t length, struct frame *frame,
                                      struct fault *fault)
{
  uint64_t end = framer->body_at + framer->body_length;
  framer_refuse_length(framer, fault);
  if (framer->body_length > SKIP_MAX)
    return FRAMER_BROKEN;
  refuse_rest(framer, end, end < length ? (size_t)end : length, frame);
  return FRAMER_REFUSED;
}

/* Looks at what has come of the body, each byte once. */
static enum framer_result scan_body(struct framer *framer, const char *bytes, size_t length,
                                    struct frame *frame, struct fault *fault)
{
  uint64_t end = framer->body_at + framer->body_length;
  size_t come = end < length ? (size_t)end : length, at = framer->scanned;
  framer->scanned = come;
  if (!json_scan(&framer->json, bytes + at, come - at, framer->limits->depth)) {
    refuse_rest(framer, end, come, frame);
    return framer_refuse_depth(framer, fault);
  }
  if (come < end)
    return FRAMER_MORE;
  *frame = (struct frame){.body = bytes + framer->body_at,
                          .length = (size_t)framer->body_length,
                          .consumed = (size_t)end};
  begin_message(framer);
  return FRAMER_MESSAGE;
}

static enum framer_result next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault)
{
  enum framer_result result = read_headers(framer, bytes, length, fault);
  if (result == FRAMER_BROKEN || framer->body_at == 0)
    return result;
  if (framer->body_length > framer->limits->message_bytes)
    return refuse_body(framer, length, frame, fault);
  return scan_body(framer, bytes, length, frame, fault);
}

static enum framer_result skip(struct framer *framer, const char *bytes, size_t length,
                               size_t *dropped, struct fault *fault)
{
  (void)bytes, (void)fault;
  *dropped = framer->skip_bytes < length ? (size_t)framer->skip_bytes : length;
  framer->skip_bytes -= *dropped;
  if (framer->skip_bytes == 0) {
    begin_message(framer);
    framer->skipping = false;
  }
  return FRAMER_MORE;
}

const struct framer_format format_content_length = {next, skip};
