/*
 * Picks the encoding by the first byte and leaves the rest to it.
 *
 * Happy path: bytes come, `next` finds a message and where it ends, the caller drops it. A message that
 * breaks a limit is refused as soon as that shows; from then on `skip` drops bytes until it ends. Bytes
 * that cannot be a message leave no way to tell where one begins, so the connection must go.
 */
#include "proto/framer.h"

#include "proto/json_frames.h"
#include "proto/json_read.h"
#include "proto/msgpack_frames.h"

static const struct framing *const framings[] = {
    [ENCODING_MSGPACK] = &msgpack_framing,
    [ENCODING_JSON_LINES] = &json_lines_framing,
    [ENCODING_CONTENT_LENGTH] = &content_length_framing,
};

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
    result = framings[framer->encoding]->skip(framer, bytes, length, &passed, fault);
  bool may_begin = result == FRAMER_MORE && passed < length && !framer->skipping;
  if (may_begin)
    result =
        framings[framer->encoding]->next(framer, bytes + passed, length - passed, frame, fault);
  frame->consumed += passed;
  return result;
}
