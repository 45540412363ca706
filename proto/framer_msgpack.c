/* MessagePack has no frames: a message ends where its last item ends, which the scan finds. */
#include "proto/framer_formats.h"
#include "proto/msgpack_glance.h"

static void note_id(const struct msgpack_scan *scan, struct frame *frame)
{
  frame->has_message_id = scan->has_message_id && scan->type == 0;
  frame->message_id = frame->has_message_id ? scan->message_id : 0;
}

/* Goes on to the next message where this one is over, else to what is left of it. */
static size_t pass(struct framer *framer, size_t length)
{
  struct msgpack_scan *scan = &framer->msgpack;
  size_t passed = msgpack_scan_give_up(scan, length);
  framer->skipping = scan->open_items > 0 || scan->at > 0;
  if (!framer->skipping)
    msgpack_scan_init(scan);
  return passed;
}

static enum framer_result next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault)
{
  struct msgpack_scan *scan = &framer->msgpack;
  size_t size = scan->at == 0 ? msgpack_glance(bytes, length, framer->limits) : 0;
  if (size > 0) {
    *frame = (struct frame){.body = bytes, .length = size, .consumed = size};
    return FRAMER_MESSAGE;
  }
  switch (msgpack_scan(scan, framer->limits, bytes, length, fault)) {
  case SCAN_MORE: return FRAMER_MORE;
  case SCAN_WHOLE:
    *frame = (struct frame){.body = bytes, .length = scan->at, .consumed = scan->at};
    msgpack_scan_init(scan);
    return FRAMER_MESSAGE;
  case SCAN_LIMIT:
    note_id(scan, frame);
    frame->consumed = pass(framer, length);
    return FRAMER_REFUSED;
  default: note_id(scan, frame); return FRAMER_BROKEN;
  }
}

static enum framer_result skip(struct framer *framer, const char *bytes, size_t length,
                               size_t *dropped, struct fault *fault)
{
  enum scan_result result = msgpack_scan_skip(&framer->msgpack, bytes, length, fault);
  *dropped = pass(framer, length);
  return result == SCAN_BROKEN ? FRAMER_BROKEN : FRAMER_MORE;
}

const struct framer_format format_msgpack = {next, skip};
