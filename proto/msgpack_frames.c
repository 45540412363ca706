/*
 * MessagePack has no frames: a message ends where its last item ends. One counter finds that end: each item
 * takes one off the items still open, and adds those that it holds.
 *
 * Every open item takes at least one byte, so a count or a length is a lie as soon as the bytes passed and
 * the items still open exceed the limit on the message: it is refused there and then. Getting past a refused
 * message takes no more than the same counter. How deep items lie does not matter to it, nor to those who read
 * them (value.h).
 */
#include "proto/msgpack_frames.h"

#include "proto/value.h"

static int broken_byte(uint8_t byte, struct fault *fault)
{
  return fault_set(fault, ERROR_PARSE,
                   "byte 0x%02x begins no message, which is a list of 3 or 4 items", byte);
}

/* 0 where a message begins here, -EAGAIN where its head has not all come, or -EBADMSG with `fault`. */
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
 * Until no item is open, the bytes end, or more than `most` are claimed. 0, also where a head has not all
 * come, or -EBADMSG with `fault`.
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

static enum framer_result next_message(struct framer *framer, const char *bytes, size_t length,
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
    if (claims_more(framer, FRAME_SKIP_MAX_BYTES))
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

static enum framer_result skip_more(struct framer *framer, const char *bytes, size_t length,
                                    size_t *dropped, struct fault *fault)
{
  const uint64_t most = FRAME_SKIP_MAX_BYTES + length;
  if (pass_items(framer, bytes, length, most, fault))
    return FRAMER_BROKEN;
  if (claims_more(framer, most)) {
    limits_refuse_length(framer->limits, fault);
    return FRAMER_BROKEN;
  }
  *dropped = drop(framer, length);
  return FRAMER_MORE;
}

const struct framing msgpack_framing = {next_message, skip_more};
