/* One JSON object a line. Lines with nothing on them are skipped. No JSON text holds a bare newline. */
#include <string.h>

#include "proto/framer_formats.h"

static void begin_line(struct framer *framer)
{
  framer->scanned = 0;
  framer->json = (struct json_scan){0};
}

static size_t without_return(const char *line, size_t length)
{
  return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
}

/* Looks at what has come of the line: `end` is where it stops for now. */
static enum framer_result scan_line(struct framer *framer, const char *line, size_t end,
                                    struct fault *fault)
{
  const struct message_limits *limits = framer->limits;
  size_t at = framer->scanned;
  framer->scanned = end;
  if (end > limits->message_bytes)
    return framer_refuse_length(framer, fault);
  if (!json_scan(&framer->json, line + at, end - at, limits->depth))
    return framer_refuse_depth(framer, fault);
  return FRAMER_MORE;
}

static enum framer_result next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault)
{
  while (frame->consumed < length) {
    const char *line = bytes + frame->consumed;
    size_t available = length - frame->consumed;
    const char *newline = memchr(line + framer->scanned, '\n', available - framer->scanned);
    size_t end = newline ? (size_t)(newline - line) : available;
    enum framer_result result = scan_line(framer, line, end, fault);
    if (result == FRAMER_REFUSED) {
      frame->consumed += end;
      framer->skipping = true;
    }
    if (result == FRAMER_REFUSED || !newline)
      return result;
    begin_line(framer);
    frame->consumed += end + 1;
    frame->length = without_return(line, end);
    frame->body = line;
    if (frame->length > 0)
      return FRAMER_MESSAGE;
  }
  return FRAMER_MORE;
}

static enum framer_result skip(struct framer *framer, const char *bytes, size_t length,
                               size_t *dropped, struct fault *fault)
{
  (void)fault;
  const char *newline = memchr(bytes, '\n', length);
  *dropped = newline ? (size_t)(newline - bytes) + 1 : length;
  if (newline) {
    begin_line(framer);
    framer->skipping = false;
  }
  return FRAMER_MORE;
}

const struct framer_format format_json_lines = {next, skip};
