/*
 * Picks the encoding by the first byte; each encoding then finds its own messages.
 *
 * Happy path: bytes come, next_*() finds a message and where it ends, the caller drops it. A
 * message that breaks a limit is refused as soon as that shows; from then on skip_*() drops bytes
 * until it ends. Bytes that cannot be a message leave no way to tell where one begins, so the
 * connection must go.
 *
 * MessagePack has no frames: a message ends where its last item ends. One counter finds that end:
 * each item takes one off the items still open, and adds those that it holds. Every open item takes
 * at least one byte, so a count or a length is a lie as soon as the bytes passed and the items
 * still open exceed the limit on the message: it is refused there and then. Getting past a refused
 * message takes no more than the same counter. How deep items lie does not matter to it, nor to
 * those who read them (value.h).
 *
 * Lines: no JSON text holds a bare newline. Blank lines are skipped.
 *
 * Headers are lines of `Name: value` ended by CR LF (LF alone will do); an empty line ends them,
 * then come as many bytes as Content-Length said. Other headers are ignored, and so are blank lines
 * before the first. A line that is no header, or a missing or unreadable length, leaves no way to
 * find the next message. Headers are read anew whenever more has come: they are short.
 */
#include "proto/framer.h"

#include <string.h>
#include <strings.h>

#include "proto/json_read.h"
#include "proto/value.h"

/* More of a refused message is not waited for: it is broken. */
static const uint64_t SKIP_MAX_BYTES = 1u << 30;

static const size_t HEADERS_MAX = 4096; /* bytes */
static const char LENGTH_HEADER[] = "Content-Length:";

/* Where the id of JSON that is too long is looked for. */
enum { ID_SEARCHED_BYTES = 4096 };

static int broken_byte(uint8_t byte, struct fault *fault)
{
  return fault_set(fault, ERROR_PARSE,
                   "byte 0x%02x begins no message, which is a list of 3 or 4 items", byte);
}

/* Does a message begin here? 0, -EAGAIN until its head has all come, or -EBADMSG with `fault`. */
static int check_head(const char *bytes, size_t length, struct fault *fault)
{
  struct value list;
  int error = value_read_head(bytes, length, &list);
  if (error == -EAGAIN)
    return error;
  if (error || !value_is_list(&list))
    return broken_byte((uint8_t)bytes[0], fault);
  if (list.children == 3 || list.children == 4)
    return 0;
  return fault_set(fault, ERROR_PARSE, "a list of %llu items is no message, which has 3 or 4",
                   (unsigned long long)list.children);
}

static bool claims_more(const struct framer *framer, uint64_t most)
{
  return framer->passed + framer->open_items > most;
}

static int pass_item(const char *bytes, size_t length, uint64_t *passed, uint64_t *open)
{
  struct value item;
  int error = value_read_head(bytes, length, &item);
  if (error)
    return error;
  *passed += (uint64_t)(item.payload - bytes) + value_payload_bytes(&item);
  *open += (value_is_list(&item) || value_is_map(&item) ? item.children : 0) - 1;
  return 0;
}

/*
 * Until no item is open, the bytes end, or more than `most` are claimed. 0, also where a head has
 * not all come, or -EBADMSG with `fault`.
 */
static int pass_items(struct framer *framer, const char *bytes, size_t length, uint64_t most,
                      struct fault *fault)
{
  uint64_t passed = framer->passed, open = framer->open_items;
  int error = 0;
  while (error == 0 && open > 0 && passed < length && passed + open <= most)
    error = pass_item(bytes + passed, length - passed, &passed, &open);
  framer->passed = passed;
  framer->open_items = open;
  return error == -EBADMSG ? broken_byte((uint8_t)bytes[passed], fault) : 0;
}

/* Drops what has come of a refused message. */
static size_t drop(struct framer *framer, size_t length)
{
  size_t dropped = framer->passed < length ? (size_t)framer->passed : length;
  framer->passed -= dropped;
  framer->skipping = framer->open_items > 0 || framer->passed > 0;
  return dropped;
}

static enum framer_result next_msgpack(struct framer *framer, const char *bytes, size_t length,
                                       struct frame *frame, struct fault *fault)
{
  int error = framer->passed > 0 ? 0 : check_head(bytes, length, fault);
  if (error == -EAGAIN)
    return FRAMER_MORE;
  if (framer->passed == 0)
    framer->open_items = 1;
  if (error == 0)
    error = pass_items(framer, bytes, length, framer->limits->message_bytes, fault);
  bool too_long = error == 0 && claims_more(framer, framer->limits->message_bytes);
  if (error || too_long)
    request_id_find_msgpack(bytes, length, &frame->id);
  if (too_long) {
    limits_refuse_length(framer->limits, fault);
    if (claims_more(framer, SKIP_MAX_BYTES))
      return FRAMER_BROKEN;
    frame->consumed = drop(framer, length);
    return FRAMER_REFUSED;
  }
  if (error || framer->open_items > 0 || framer->passed > length)
    return error ? FRAMER_BROKEN : FRAMER_MORE;
  frame->body = bytes;
  frame->length = frame->consumed = (size_t)framer->passed;
  framer->passed = 0;
  return FRAMER_MESSAGE;
}

static enum framer_result skip_msgpack(struct framer *framer, const char *bytes, size_t length,
                                       size_t *dropped, struct fault *fault)
{
  const uint64_t most = SKIP_MAX_BYTES + length;
  if (pass_items(framer, bytes, length, most, fault))
    return FRAMER_BROKEN;
  if (claims_more(framer, most)) {
    limits_refuse_length(framer->limits, fault);
    return FRAMER_BROKEN;
  }
  *dropped = drop(framer, length);
  return FRAMER_MORE;
}

/* Of a message of which so many bytes have come or will. */
static enum framer_result refuse(struct framer *framer, const char *body, uint64_t length,
                                 struct frame *frame, struct fault *fault)
{
  request_id_find_json(body, length < ID_SEARCHED_BYTES ? (size_t)length : ID_SEARCHED_BYTES,
                       &frame->id);
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
                                    size_t *dropped)
{
  const char *newline = memchr(bytes, '\n', length);
  *dropped = newline ? (size_t)(newline - bytes) + 1 : length;
  framer->skipping = !newline;
  return FRAMER_MORE;
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
  if (body_length > SKIP_MAX_BYTES) {
    limits_refuse_length(framer->limits, fault);
    return FRAMER_BROKEN;
  }
  if (come < body_length && come < ID_SEARCHED_BYTES)
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

static enum framer_result skip_body(struct framer *framer, size_t length, size_t *dropped)
{
  *dropped = framer->passed < length ? (size_t)framer->passed : length;
  framer->passed -= *dropped;
  framer->skipping = framer->passed > 0;
  return FRAMER_MORE;
}

void framer_init(struct framer *framer, const struct message_limits *limits)
{
  *framer = (struct framer){.limits = limits};
}

static enum encoding encoding_of(uint8_t first)
{
  if ((first >= 0x90 && first <= 0x9f) || first == 0xdc || first == 0xdd)
    return ENCODING_MSGPACK;
  if (first == '{' || first == '[')
    return ENCODING_JSON_LINES;
  return first == 'C' || first == 'c' ? ENCODING_CONTENT_LENGTH : ENCODING_UNKNOWN;
}

/* FRAMER_BROKEN where the first byte that is not blank begins nothing. */
static enum framer_result pick_encoding(struct framer *framer, const char *bytes, size_t length,
                                        size_t *passed, struct fault *fault)
{
  while (*passed < length && json_is_space(bytes[*passed]))
    ++*passed;
  if (*passed == length)
    return FRAMER_MORE;
  uint8_t first = (uint8_t)bytes[*passed];
  framer->encoding = encoding_of(first);
  if (framer->encoding != ENCODING_UNKNOWN)
    return FRAMER_MORE;
  fault_set(fault, ERROR_PARSE,
            "byte 0x%02x begins no message: MessagePack begins with 0x90 to 0x9f, 0xdc or 0xdd, "
            "a line of JSON with '{', a header with 'C'",
            first);
  return FRAMER_BROKEN;
}

static enum framer_result next_message(struct framer *framer, const char *bytes, size_t length,
                                       struct frame *frame, struct fault *fault)
{
  switch (framer->encoding) {
  case ENCODING_MSGPACK: return next_msgpack(framer, bytes, length, frame, fault);
  case ENCODING_JSON_LINES: return next_line(framer, bytes, length, frame, fault);
  default: return next_body(framer, bytes, length, frame, fault);
  }
}

/* Drops more of a refused message, says how many bytes, and clears `skipping` at its end. */
static enum framer_result skip_message(struct framer *framer, const char *bytes, size_t length,
                                       size_t *dropped, struct fault *fault)
{
  switch (framer->encoding) {
  case ENCODING_MSGPACK: return skip_msgpack(framer, bytes, length, dropped, fault);
  case ENCODING_JSON_LINES: return skip_line(framer, bytes, length, dropped);
  default: return skip_body(framer, length, dropped);
  }
}

enum framer_result framer_next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault)
{
  size_t passed = 0;
  enum framer_result result = FRAMER_MORE;
  frame->body = NULL;
  frame->length = frame->consumed = 0;
  frame->id.kind = REQUEST_ID_NONE;
  if (framer->encoding == ENCODING_UNKNOWN)
    result = pick_encoding(framer, bytes, length, &passed, fault);
  if (framer->skipping)
    result = skip_message(framer, bytes, length, &passed, fault);
  bool may_begin = result == FRAMER_MORE && passed < length && !framer->skipping;
  if (may_begin)
    result = next_message(framer, bytes + passed, length - passed, frame, fault);
  frame->consumed += passed;
  return result;
}
