/*
 * Picks the encoding by the first byte and leaves the rest to it: framer_msgpack.c, json_lines.c and
 * content_length.c.
 *
 * Happy path: bytes come, `next` finds a message and where it ends, the caller drops it. A message that
 * breaks a limit is refused as soon as that shows; from then on `skip` drops bytes until it ends. Bytes
 * that cannot be a message leave no way to tell where one begins, so the connection must go.
 */
#include "proto/framer.h"

#include "proto/framer_formats.h"

static const struct framer_format *const formats[] = {
    [ENCODING_MSGPACK] = &format_msgpack,
    [ENCODING_JSON_LINES] = &format_json_lines,
    [ENCODING_CONTENT_LENGTH] = &format_content_length,
};

void framer_init(struct framer *framer, const struct message_limits *limits)
{
  *framer = (struct framer){.limits = limits, .body_length = UINT64_MAX};
  msgpack_scan_init(&framer->msgpack);
}

static enum encoding encoding_of(uint8_t first)
{
  if ((first >= 0x90 && first <= 0x9f) || first == 0xdc || first == 0xdd)
    return ENCODING_MSGPACK;
  if (first == '{')
    return ENCODING_JSON_LINES;
  return first == 'C' ? ENCODING_CONTENT_LENGTH : ENCODING_UNKNOWN;
}

static enum framer_result unknown_encoding(uint8_t first, struct fault *fault)
{
  fault_set(fault, ERROR_PARSE,
            "byte 0x%02x begins no message: MessagePack begins with 0x90 to 0x9f, 0xdc or 0xdd, "
            "a line of JSON with '{', a header with 'C'",
            first);
  return FRAMER_BROKEN;
}

enum framer_result framer_refuse_depth(struct framer *framer, struct fault *fault)
{
  fault_set(fault, ERROR_LIMIT, "lists and maps lie more than the %llu deep allowed",
            (unsigned long long)framer->limits->depth);
  return FRAMER_REFUSED;
}

enum framer_result framer_refuse_length(struct framer *framer, struct fault *fault)
{
  fault_set(fault, ERROR_LIMIT, "the message is longer than the %llu bytes allowed",
            (unsigned long long)framer->limits->message_bytes);
  return FRAMER_REFUSED;
}

enum framer_result framer_next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault)
{
  *frame = (struct frame){0};
  if (length == 0)
    return FRAMER_MORE;
  if (framer->encoding == ENCODING_UNKNOWN)
    framer->encoding = encoding_of((uint8_t)bytes[0]);
  if (framer->encoding == ENCODING_UNKNOWN)
    return unknown_encoding((uint8_t)bytes[0], fault);

  const struct framer_format *format = formats[framer->encoding];
  size_t dropped = 0;
  enum framer_result result = FRAMER_MORE;
  if (framer->skipping)
    result = format->skip(framer, bytes, length, &dropped, fault);
  if (result == FRAMER_MORE && !framer->skipping)
    result = format->next(framer, bytes + dropped, length - dropped, frame, fault);
  frame->consumed += dropped;
  return result;
}
