/* No JSON text holds a bare newline. Blank lines are skipped. */
#include "proto/json_lines.h"

#include <string.h>

static bool is_blank_line(const char *line, size_t length)
{
  while (length > 0 && is_blank(line[length - 1]))
    length--;
  return length == 0;
}

static enum framer_result refuse(struct framer *framer, const char *line, struct frame *frame,
                                 struct fault *fault)
{
  uint64_t most = framer->limits->message_bytes;
  request_id_find_json(line, most < FRAME_ID_BYTES ? (size_t)most : FRAME_ID_BYTES, &frame->id);
  limits_refuse_length(framer->limits, fault);
  frame->consumed += (size_t)framer->passed;
  framer->skipping = true;
  framer->passed = 0;
  return FRAMER_REFUSED;
}

enum framer_result json_lines_next(struct framer *framer, const char *bytes, size_t length,
                                   struct frame *frame, struct fault *fault)
{
  while (frame->consumed < length) {
    const char *line = bytes + frame->consumed;
    size_t available = length - frame->consumed, at = (size_t)framer->passed;
    const char *newline = memchr(line + at, '\n', available - at);
    size_t end = newline ? (size_t)(newline - line) : available;
    framer->passed = end;
    if (end > framer->limits->message_bytes)
      return refuse(framer, line, frame, fault);
    if (!newline)
      return FRAMER_MORE;
    framer->passed = 0;
    frame->consumed += end + 1;
    frame->body = line;
    frame->length = end;
    if (!is_blank_line(line, end))
      return FRAMER_MESSAGE;
  }
  return FRAMER_MORE;
}

enum framer_result json_lines_skip(struct framer *framer, const char *bytes, size_t length,
                                   size_t *dropped, struct fault *fault)
{
  (void)fault;
  const char *newline = memchr(bytes, '\n', length);
  *dropped = newline ? (size_t)(newline - bytes) + 1 : length;
  framer->skipping = !newline;
  return FRAMER_MORE;
}
